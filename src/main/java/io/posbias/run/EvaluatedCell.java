package io.posbias.run;

import io.posbias.base.json.Configs;
import io.posbias.fetch.hub.HubSettings;
import io.posbias.rank.Run;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import java.nio.file.Path;
import java.util.Objects;

/** Contents of a cell's files. */
public record EvaluatedCell(CellQueries queries, Run run) {
    public Result result() {
        return queries.result();
    }

    /** Takes over the files and times of the result that this one replaces, whose run it measures. */
    EvaluatedCell after(Result earlier) {
        return with(result().after(earlier));
    }

    /** Records the benchmark's folder in the result, unless the catalogue finds it in posbias's home or jar. */
    public EvaluatedCell withDatasetFolder(Path benchmark, Path home, Path folder) {
        // A package has the name of the folder above.
        Path shipped = Objects.requireNonNull(Configs.path("data/demo").getParent());
        Path pulled = home.resolve(HubSettings.DATASETS).toAbsolutePath();
        boolean isKnown = benchmark.toAbsolutePath().startsWith(pulled) || benchmark.startsWith(shipped);
        return isKnown ? this : with(result().withDatasetFolder(benchmark, folder));
    }

    private EvaluatedCell with(Result other) {
        return new EvaluatedCell(queries.with(other, queries.places()), run);
    }
}

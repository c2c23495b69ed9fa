package io.posbias.evaluate;

import io.posbias.PosbiasException;
import io.posbias.UsageException;
import io.posbias.measure.QueryBuckets;
import io.posbias.measure.Scores;
import io.posbias.position.Bucketing;
import io.posbias.result.Differences;
import io.posbias.result.EvaluatedModel;
import io.posbias.result.FinishedCell;
import io.posbias.result.Provenance;
import io.posbias.result.QueriesFile;
import io.posbias.result.QueryCounts;
import io.posbias.result.Result;
import io.posbias.result.ResultFolder;
import io.posbias.result.Retrieval;
import io.posbias.result.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Pooled queries of several results of one model; shared by {@code pool} and {@code run}. */
public final class ResultPool {
    private final String name;
    private final List<FinishedCell> cells;
    private final List<Result> parts;

    /**
     * @param name of the pooled benchmark
     * @param folders of finished cells, at least one
     * @throws UsageException if they are not finished or not comparable
     */
    public ResultPool(String name, List<Path> folders) {
        this.name = name;
        this.cells = folders.stream().map(FinishedCell::read).toList();
        this.parts = cells.stream().map(FinishedCell::result).toList();
        parts.forEach(part -> refuseMixture(parts.getFirst(), part));
        if (parts.stream().map(Result::dataset).distinct().count() < parts.size()) {
            throw new UsageException("the results must be of different datasets: "
                    + String.join(", ", parts.stream().map(Result::dataset).toList()));
        }
    }

    public String model() {
        return parts.getFirst().model();
    }

    /** Writes the pooled result into a folder, unless an earlier call did. */
    public Result into(ResultFolder target, boolean overwrite, Consumer<String> say) {
        Result first = parts.getFirst();
        Map<String, String> files = new LinkedHashMap<>();
        parts.forEach(part ->
                part.provenance().datasetSha256().forEach((file, sum) -> files.put(part.dataset() + "/" + file, sum)));
        EvaluatedModel model = new EvaluatedModel(
                first.model(),
                first.family(),
                first.recipe(),
                first.provenance().recipeSha256());
        FinishedCell earlier = overwrite ? null : target.earlier().orElse(null);
        if (earlier != null && holdsAll(earlier, target, model, files)) {
            say.accept(target.finishedBefore(earlier));
            return earlier.result().only(first.settings().measures());
        }
        Result made = pool(files, target);
        say.accept(parts.size() + " results pooled; files in " + target.path());
        return made;
    }

    /**
     * Returns true if an earlier pool has all numbers and files; one with fewer is replaced.
     *
     * @throws PosbiasException if it has other numbers, which would be lost
     */
    private boolean holdsAll(
            FinishedCell earlier, ResultFolder target, EvaluatedModel model, Map<String, String> files) {
        String other = ResultFolder.otherMaking(earlier.result(), model, name, files);
        if (other != null) {
            throw target.otherwise(other);
        }
        Settings wanted = parts.getFirst().settings();
        Settings found = earlier.result().settings();
        boolean all = found.measures().containsAll(wanted.measures());
        if (!wanted.isLike(found) || (!all && !wanted.measures().containsAll(found.measures()))) {
            throw target.otherwise("has other settings: " + Differences.said(wanted.differences(found)));
        }
        return all && earlier.missing().isEmpty();
    }

    private Result pool(Map<String, String> files, ResultFolder target) {
        Result first = parts.getFirst();
        Settings settings = first.settings();
        QueriesFile joined =
                new QueriesFile(QueriesFile.measures(settings.measures()), Bucketing.parse(settings.buckets()));
        for (int i = 0; i < parts.size(); i++) {
            joined.add(cells.get(i), parts.get(i).dataset() + "/");
        }
        Scores scores = joined.scores();
        QueryBuckets placement = joined.placement(settings.cluster());
        int threads = Runtime.getRuntime().availableProcessors();
        Result pooled = new Result(
                first.model(),
                first.family(),
                name,
                counts(parts, placement),
                settings.profiler(threads).profiles(scores, placement),
                Retrieval.NONE,
                new Provenance(
                        settings,
                        first.recipe(),
                        first.provenance().recipeSha256(),
                        files,
                        Map.of(),
                        Environment.describe(threads),
                        Map.of()));
        return target.write(pooled, scores, placement, Map.of());
    }

    private static void refuseMixture(Result first, Result part) {
        String pair = first.model() + " on " + first.dataset() + " and " + part.model() + " on " + part.dataset();
        if (!part.model().equals(first.model())
                || !part.provenance().recipeSha256().equals(first.provenance().recipeSha256())) {
            throw new UsageException(pair + " are results of different models");
        }
        List<Differences.Difference> others = Differences.of(first.settings(), part.settings());
        if (!others.isEmpty()) {
            throw new UsageException(pair + " were evaluated with different settings: "
                    + others.stream()
                            .map(other -> other.field() + " " + other.first() + " and " + other.second())
                            .collect(Collectors.joining("; ")));
        }
    }

    private static QueryCounts counts(List<Result> parts, QueryBuckets placement) {
        List<QueryCounts> counts = parts.stream().map(Result::queries).toList();
        Integer tied =
                counts.stream().map(QueryCounts::tied).filter(Objects::nonNull).reduce(0, Integer::sum);
        return new QueryCounts(
                counts.stream().mapToInt(QueryCounts::judged).sum(),
                counts.stream().mapToInt(QueryCounts::unjudged).sum(),
                placement.inSeveral(),
                placement.inNone(),
                counts.stream().mapToInt(QueryCounts::unanswered).sum(),
                tied == 0 ? null : tied,
                null);
    }
}

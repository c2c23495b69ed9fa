package io.posbias.score.result;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.position.Strata;
import io.posbias.rank.Run;
import io.posbias.rank.trec.RunReader;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Measure;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Scores;
import java.util.Arrays;
import java.util.List;

/** Reads the run of a stored cell. */
public final class CellRun {
    private CellRun() {}

    /**
     * Reads the run.
     *
     * @param dataset the result's
     * @throws io.posbias.base.process.PosbiasException if it gives other means than the result's
     */
    public static Run read(StoredCell cell, Dataset dataset) {
        Result result = cell.result();
        Run run = RunReader.read(cell.required(ResultFolder.RUN), dataset).run();
        List<Measure> measures = result.settings().measures();
        Scores scores = Scores.of(run.withoutExcluded(dataset), dataset, measures, 1);
        for (int measure = 0; measure < measures.size(); measure++) {
            String name = measures.get(measure).toString();
            Profile profile = result.profile(name, Strata.ALL);
            Double known = profile == null ? null : profile.queryMean();
            double mean = Arrays.stream(scores.of(measure)).average().orElse(0);
            if (known != null && !BucketMean.isSame(mean, known)) {
                throw cell.other(
                        ResultFolder.RUN,
                        "gives a mean " + name + " of " + mean + ", " + ResultFile.NAME + " has " + known);
            }
        }
        return run;
    }
}

package io.posbias.report.leaderboard;

import io.posbias.Fields;
import io.posbias.measure.Measures;
import io.posbias.measure.Profile;
import io.posbias.measure.Psi;
import io.posbias.position.Bucketing;
import io.posbias.position.Strata;
import io.posbias.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tables 2 and 3 of the paper on training distributions, beside its Table 1 in {@link PublishedResults}. Each model was
 * trained four times, on evidence at the beginning (MB), in the middle (MM), at the end (ME) and everywhere (MU).
 */
final class TrainingResults {
    /** The benchmark of Table 3. The paper's digest does not say which of PosIR's languages it is. */
    static final String POSIR_DATASET = "posir";

    /** What Table 2 averages over. */
    static final String ALL_MODELS = "mean of 8 models";

    private static final String BEIR = "data/published/training-distribution-beir.csv";
    private static final String POSIR = "data/published/training-distribution-posir.csv";

    /** The last row of Table 2, which is calculated from the others. */
    private static final String AVERAGE = "Average";

    private TrainingResults() {}

    /** Table 2: nDCG@10 on four sets of BEIR, the mean over eight models; the mean over queries, as in BEIR. */
    static List<Result> beir() {
        List<Result> results = new ArrayList<>();
        for (Fields row : PublishedResults.rows(BEIR)) {
            String dataset = row.text("BEIR subset").toLowerCase(Locale.ROOT);
            if (dataset.equals(AVERAGE.toLowerCase(Locale.ROOT))) {
                continue;
            }
            for (String trained : PublishedResults.TRAINED_ON) {
                Profile profile = new Profile(
                        Measures.DEFAULT,
                        Strata.ALL,
                        0,
                        row.parsedNumber(trained),
                        null,
                        Psi.undefined("the paper prints none on BEIR"),
                        List.of());
                results.add(result(ALL_MODELS + " " + trained, dataset, Bucketing.NONE.toString(), profile));
            }
        }
        return results;
    }

    /** Table 3: three models on PosIR. */
    static List<Result> posir() {
        List<Result> results = new ArrayList<>();
        for (Fields row : PublishedResults.rows(POSIR)) {
            for (String trained : PublishedResults.TRAINED_ON) {
                Profile profile = new Profile(
                        Measures.DEFAULT,
                        Strata.ALL,
                        0,
                        null,
                        row.parsedNumber(trained + " nDCG"),
                        Psi.of(row.parsedNumber(trained + " PSI")),
                        List.of());
                results.add(result(row.text("Model") + " " + trained, POSIR_DATASET, Bucketing.POSIR, profile));
            }
        }
        return results;
    }

    private static Result result(String model, String dataset, String bucketing, Profile profile) {
        return PublishedResults.published(Paper.TRAINING, model, "dense", dataset, bucketing, List.of(profile));
    }
}

package io.posbias.run.check;

import io.posbias.data.convert.Sampler;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.CellQueries;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Number of samples of the questions with moved evidence that have the verdicts of all questions.
 *
 * @param same number of samples
 * @param samples drawn without replacement, each from all questions
 * @param questions of a sample
 */
record Stability(int same, int samples, int questions) {
    private static final int SAMPLES = 100;

    /** Scores by place of one sample, up to which all samples take about a second. */
    private static final int QUICK = 3_000;

    /**
     * Draws the samples.
     *
     * @param size of a sample, or half of the questions if there are fewer than that and one more
     * @param isAsked true to draw also where that takes long
     * @param found verdicts of the model
     * @return null if these rest on more than the moved evidence, there are too few questions, or it takes long
     */
    static @Nullable Stability of(CellQueries cell, int size, boolean isAsked, List<Verdict> found) {
        List<ScoresByPlace> rows = cell.places();
        int questions = rows.size() > size ? size : rows.size() / 2;
        if (questions < 2 || (!isAsked && questions * rows.getFirst().scores().length > QUICK)) {
            return null;
        }
        Settings settings = cell.result().settings().withDraws(1);
        ContentFixedFit fit = new ContentFixedFit(settings.withCluster(cell.unit()), "", 1);
        List<Verdict> all = verdicts(fit, rows);
        if (!all.equals(found)) {
            return null;
        }
        int same = (int) IntStream.range(0, SAMPLES)
                .parallel()
                .filter(sample ->
                        verdicts(fit, Sampler.draw(rows, questions, sample)).equals(all))
                .count();
        return new Stability(same, SAMPLES, questions);
    }

    private static List<Verdict> verdicts(ContentFixedFit fit, List<ScoresByPlace> rows) {
        if (rows.stream().map(ScoresByPlace::passage).distinct().limit(2).count() < 2) {
            return List.of(Verdict.TOO_FEW);
        }
        ContentFixed moved = fit.of(rows, QueryBuckets.of(List.of(), Bucketing.NONE));
        return moved.verdicts();
    }
}

package io.posbias.report.leaderboard;

import io.posbias.base.process.UsageException;
import io.posbias.base.text.Suggestions;
import io.posbias.score.result.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of many models for one table. A {@link Layout} makes the table.
 *
 * @param results with a profile of the measure, in the order of models within a family
 * @param intervals true to print known intervals
 * @param digits decimals of points; PSI has two more
 * @param baseline model whose difference from each other model is shown; null for none
 */
public record Leaderboard(
        List<Result> results,
        String measure,
        boolean intervals,
        int digits,
        @Nullable String baseline) {
    /** Suffix of the SQuAD-PosQ paper's subsets. */
    public static final String TINY = "-tiny";

    /** A leaderboard without a baseline. */
    public Leaderboard(List<Result> results, String measure, boolean intervals, int digits) {
        this(results, measure, intervals, digits, null);
    }

    /** Keeps the results that have the measure. */
    public Leaderboard {
        results = results.stream()
                .filter(result -> result.measures().contains(measure))
                .toList();
    }

    public boolean isEmpty() {
        return results.isEmpty();
    }

    /**
     * Adds differences from one of the models.
     *
     * @throws UsageException if it has no result of that model, suggesting the nearest
     */
    public Leaderboard against(String model) {
        List<String> models = results.stream()
                .filter(result -> !result.isPublished())
                .map(Result::model)
                .distinct()
                .toList();
        if (!models.contains(model)) {
            throw new UsageException("--baseline: " + Suggestions.unknown("model", model, models));
        }
        return new Leaderboard(results, measure, intervals, digits, model);
    }

    List<String> datasets() {
        return results.stream().map(Result::dataset).distinct().toList();
    }
}

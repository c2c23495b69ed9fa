package io.posbias.report.leaderboard;

import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.position.Strata;
import io.posbias.report.profile.ProfileValues;
import io.posbias.result.Result;
import io.posbias.table.Cell;
import io.posbias.table.NumberFormat;
import io.posbias.table.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Many results that shall become one table, models grouped by family, as the papers print them; a {@link Layout} says how.
 *
 * @param results those that have a profile of the measure, in the order in which models are within their family
 * @param measure the measure's name
 * @param intervals whether numbers are printed with their intervals, where these are known
 * @param merged whether results on a tiny subset are in the columns of the whole benchmark, in rows of their own
 * @param baseline the model from which the difference of every other is shown below it; null for none
 */
public record Leaderboard(
        List<Result> results,
        String measure,
        boolean intervals,
        boolean merged,
        @Nullable String baseline) {
    /** How the names of the SQuAD-PosQ paper's subsets end. */
    public static final String TINY = "-tiny";

    /** A leaderboard in which every benchmark has columns of its own. */
    public Leaderboard(List<Result> results, String measure, boolean intervals) {
        this(results, measure, intervals, false, null);
    }

    /** Keeps the results that have the measure. */
    public Leaderboard {
        results = results.stream()
                .filter(result -> result.measures().contains(measure))
                .toList();
    }

    /** Whether nothing is left to show. */
    public boolean isEmpty() {
        return results.isEmpty();
    }

    /** The rows of each family by its heading. */
    Map<String, List<LeaderboardRow>> families() {
        Map<String, List<LeaderboardRow>> families = new LinkedHashMap<>();
        Families.group(results).forEach((family, members) -> families.put(family, rows(members)));
        return families;
    }

    /** Where subsets share columns with the whole, what a model has on both is in two rows. */
    private List<LeaderboardRow> rows(List<Result> members) {
        if (!merged) {
            return LeaderboardRow.of(members, base(any -> true));
        }
        Map<Boolean, List<Result>> tiny = members.stream().collect(Collectors.partitioningBy(Leaderboard::isTiny));
        return tiny.entrySet().stream()
                .flatMap(some ->
                        LeaderboardRow.of(some.getValue(), base(result -> isTiny(result) == some.getKey())).stream())
                .toList();
    }

    /** What is known of the baseline, whose family may be another. */
    private List<Result> base(Predicate<Result> isShown) {
        return results.stream()
                .filter(result -> !result.isPublished() && result.model().equals(baseline))
                .filter(isShown)
                .toList();
    }

    /** Whether a result is on one of the paper's subsets. */
    static boolean isTiny(Result result) {
        return result.dataset().endsWith(TINY);
    }

    /** The same with subsets in the columns of the whole. */
    Leaderboard merge() {
        return new Leaderboard(results, measure, intervals, true, baseline);
    }

    /** The same with other results. */
    Leaderboard of(List<Result> others) {
        return new Leaderboard(others, measure, intervals, merged, baseline);
    }

    /**
     * The same with differences from one of its models.
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
        return new Leaderboard(results, measure, intervals, merged, model);
    }

    /** The benchmark under whose name a result's numbers are. */
    String column(Result result) {
        String dataset = result.dataset();
        return merged && isTiny(result) ? dataset.substring(0, dataset.length() - TINY.length()) : dataset;
    }

    Stream<LeaderboardRow> lines() {
        return families().values().stream().flatMap(List::stream);
    }

    /** The benchmarks in the order of their first result. */
    List<String> datasets() {
        return results.stream().map(Result::dataset).distinct().toList();
    }

    /** The benchmarks under whose names numbers are, in the order of their first result. */
    List<String> columns() {
        return results.stream().map(this::column).distinct().toList();
    }

    /** The strata of all results in the order in which they appear. */
    List<String> strata() {
        return results.stream()
                .flatMap(result -> result.strata().stream())
                .distinct()
                .toList();
    }

    /** A number of a line; one on a subset is none on the whole benchmark. */
    private Value value(LeaderboardRow line, Function<List<Result>, Value> number) {
        Value value = line.value(number);
        return merged && isTiny(line.results().getFirst()) ? value.of(value.sample() + TINY) : value;
    }

    /** A measure as a cell: of a line's results, or their difference. */
    Cell points(LeaderboardRow line, Function<List<Result>, Value> number) {
        Value value = value(line, number);
        return line.isDifference()
                ? Cell.word(NumberFormat.SIGNED_POINTS.print(value.value()))
                : Cell.points(value, intervals);
    }

    /** PSI likewise. */
    Cell psi(LeaderboardRow line, Function<List<Result>, Value> number) {
        Value value = value(line, number);
        return line.isDifference()
                ? Cell.word(NumberFormat.SIGNED_FRACTION.print(value.value()))
                : Cell.psi(value, intervals);
    }

    /** Whether any result has a verdict over all queries: only then has a table a column for it. */
    boolean hasVerdicts() {
        return results.stream()
                .map(result -> ProfileValues.verdict(result.profile(measure, Strata.ALL)))
                .anyMatch(verdict -> !verdict.text().equals(NumberFormat.NONE));
    }
}

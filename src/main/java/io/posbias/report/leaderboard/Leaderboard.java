package io.posbias.report.leaderboard;

import io.posbias.base.process.UsageException;
import io.posbias.base.table.Cell;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Value;
import io.posbias.base.text.Suggestions;
import io.posbias.data.position.Strata;
import io.posbias.report.profile.ProfileValues;
import io.posbias.score.result.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Results of many models for one table, grouped by family as in the papers. A {@link Layout} makes the table.
 *
 * @param results with a profile of the measure, in the order of models within a family
 * @param intervals true to print known intervals
 * @param digits decimals of points; PSI has two more
 * @param merged true to show results on a tiny subset in the columns of the whole benchmark, in separate rows
 * @param families of models
 * @param baseline model whose difference from each other model is shown; null for none
 */
public record Leaderboard(
        List<Result> results,
        String measure,
        boolean intervals,
        int digits,
        boolean merged,
        Families families,
        @Nullable String baseline) {
    /** Suffix of the SQuAD-PosQ paper's subsets. */
    public static final String TINY = "-tiny";

    /** A leaderboard without a baseline, in which every benchmark has its own columns. */
    public Leaderboard(List<Result> results, String measure, boolean intervals, int digits) {
        this(results, measure, intervals, digits, false, Families.USUAL, null);
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

    Map<String, List<LeaderboardRow>> groups() {
        Map<String, List<LeaderboardRow>> groups = new LinkedHashMap<>();
        families.group(results).forEach((family, members) -> groups.put(family, rows(members)));
        return groups;
    }

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

    private List<Result> base(Predicate<Result> isShown) {
        return results.stream()
                .filter(result -> !result.isPublished() && result.model().equals(baseline))
                .filter(isShown)
                .toList();
    }

    static boolean isTiny(Result result) {
        return result.dataset().endsWith(TINY);
    }

    Leaderboard merge() {
        return new Leaderboard(results, measure, intervals, digits, true, families, baseline);
    }

    Leaderboard of(List<Result> others, Families groups) {
        return new Leaderboard(others, measure, intervals, digits, merged, groups, baseline);
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
        return new Leaderboard(results, measure, intervals, digits, merged, families, model);
    }

    String column(Result result) {
        String dataset = result.dataset();
        return merged && isTiny(result) ? dataset.substring(0, dataset.length() - TINY.length()) : dataset;
    }

    Stream<LeaderboardRow> lines() {
        return groups().values().stream().flatMap(List::stream);
    }

    List<String> datasets() {
        return results.stream().map(Result::dataset).distinct().toList();
    }

    List<String> columns() {
        return results.stream().map(this::column).distinct().toList();
    }

    List<String> strata() {
        return results.stream()
                .flatMap(result -> result.strata().stream())
                .distinct()
                .toList();
    }

    private Value value(LeaderboardRow line, Function<List<Result>, Value> number) {
        Value value = line.value(number);
        return merged && isTiny(line.results().getFirst()) ? value.of(value.sample() + TINY) : value;
    }

    Cell points(LeaderboardRow line, Function<List<Result>, Value> number) {
        Value value = value(line, number);
        return line.isDifference()
                ? Cell.word(NumberFormat.SIGNED_POINTS.print(value.value(), digits))
                : Cell.points(value, intervals, digits);
    }

    Cell psi(LeaderboardRow line, Function<List<Result>, Value> number) {
        Value value = value(line, number);
        return line.isDifference()
                ? Cell.word(NumberFormat.SIGNED_FRACTION.print(value.value(), digits))
                : Cell.psi(value, intervals, digits);
    }

    Cell drop(LeaderboardRow line, Function<List<Result>, Value> number) {
        Value value = value(line, number);
        return line.isDifference()
                ? Cell.word(NumberFormat.SIGNED_PERCENT.print(value.value(), digits))
                : Cell.loss(value, digits);
    }

    boolean hasVerdicts() {
        return results.stream()
                .map(result -> ProfileValues.verdict(result.profile(measure, Strata.ALL)))
                .anyMatch(verdict -> !verdict.text().equals(NumberFormat.NONE));
    }
}

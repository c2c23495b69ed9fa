package io.posbias.report.leaderboard;

import io.posbias.base.table.Value;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A line of a leaderboard: own results, published results, or a difference between two models.
 *
 * @param family heading above it
 * @param subtracted results on the same benchmarks; empty unless the line is a difference
 */
record Line(String family, String model, String suffix, List<Result> results, List<Result> subtracted) {
    /**
     * Lists the lines by family: each model with its difference from the baseline, its published lines and their differences,
     * then other published lines.
     *
     * @param isApart true for results in lines of their own, behind the others of the family
     */
    static List<Line> of(Leaderboard board, Families families, Predicate<Result> isApart) {
        List<Line> lines = new ArrayList<>();
        Map<String, Map<Boolean, List<Result>>> groups = families.ordered(board.results()).stream()
                .collect(Collectors.groupingBy(
                        families.heading(), LinkedHashMap::new, Collectors.partitioningBy(isApart)));
        groups.forEach((family, parts) -> parts.forEach((apart, members) -> {
            List<Result> base = board.results().stream()
                    .filter(result -> !result.isPublished() && result.model().equals(board.baseline()))
                    .filter(result -> isApart.test(result) == apart)
                    .toList();
            add(family, members, base, lines);
        }));
        return lines;
    }

    private static void add(String family, List<Result> members, List<Result> base, List<Line> lines) {
        Map<String, List<Result>> published = byModel(members.stream().filter(Result::isPublished));
        Set<String> beside = new HashSet<>();
        byModel(members.stream().filter(result -> !result.isPublished())).forEach((model, own) -> {
            Line line = new Line(family, model, "", own, List.of());
            lines.add(line);
            if (!base.isEmpty() && !base.getFirst().model().equals(model)) {
                lines.add(line.minus(base.getFirst().model(), base));
            }
            published.forEach((name, printed) -> {
                if (Published.isOf(own.getFirst(), printed.getFirst())) {
                    beside.add(name);
                    lines.add(new Line(family, name, " (published)", printed, List.of()));
                    lines.add(line.minus("published", printed));
                }
            });
        });
        published.keySet().removeAll(beside);
        published.forEach((name, printed) -> lines.add(new Line(family, name, " (published)", printed, List.of())));
        lines.removeIf(line -> line.results().isEmpty());
    }

    private static Map<String, List<Result>> byModel(Stream<Result> results) {
        return results.collect(Collectors.groupingBy(Result::model, LinkedHashMap::new, Collectors.toList()));
    }

    /** The difference over the benchmarks of both, so that averages are comparable. */
    private Line minus(String name, List<Result> others) {
        return new Line(
                family, model, " minus " + name, onBenchmarksOf(others, results), onBenchmarksOf(results, others));
    }

    private static List<Result> onBenchmarksOf(List<Result> some, List<Result> results) {
        Set<String> benchmarks = some.stream().map(Result::dataset).collect(Collectors.toSet());
        return results.stream()
                .filter(result -> benchmarks.contains(result.dataset()))
                .toList();
    }

    String label() {
        return model + suffix;
    }

    /** True for evaluated results; false for published ones and differences. */
    boolean isOwn() {
        return suffix.isEmpty();
    }

    boolean isDifference() {
        return !subtracted.isEmpty();
    }

    Value value(Function<List<Result>, Value> number) {
        Value own = number.apply(results);
        return isDifference() ? own.minus(number.apply(subtracted)) : own;
    }

    List<String> datasets() {
        return results.stream().map(Result::dataset).distinct().toList();
    }
}

package io.posbias.report.leaderboard;

import io.posbias.base.table.Value;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A row of a leaderboard: own results, published results, or a difference between two models.
 *
 * @param subtracted results on the same benchmarks; empty unless the row is a difference
 */
record LeaderboardRow(String model, String suffix, List<Result> results, List<Result> subtracted) {
    LeaderboardRow {
        results = List.copyOf(results);
        subtracted = List.copyOf(subtracted);
    }

    /**
     * Makes the rows of one family: each model with its published row and their difference, then other published rows.
     *
     * @param base results of the baseline; empty for none
     */
    static List<LeaderboardRow> of(List<Result> results, List<Result> base) {
        Map<String, List<Result>> own = byModel(results.stream().filter(result -> !result.isPublished()));
        Map<String, List<Result>> published = byModel(results.stream().filter(Result::isPublished));
        Set<String> beside = own.values().stream()
                .flatMap(cells -> counterparts(cells, published).stream())
                .map(cells -> cells.getFirst().model())
                .collect(Collectors.toSet());
        List<LeaderboardRow> lines = new ArrayList<>();
        own.forEach((model, cells) -> {
            lines.add(new LeaderboardRow(model, "", cells, List.of()));
            if (!base.isEmpty() && !base.getFirst().model().equals(model)) {
                lines.add(difference(cells, base, " minus " + base.getFirst().model()));
            }
            for (List<Result> printed : counterparts(cells, published)) {
                lines.add(printed(printed));
                lines.add(difference(cells, printed, " minus published"));
            }
        });
        lines.removeIf(line -> line.results().isEmpty());
        published.forEach((model, cells) -> {
            if (!beside.contains(model)) {
                lines.add(printed(cells));
            }
        });
        return lines;
    }

    private static Map<String, List<Result>> byModel(Stream<Result> results) {
        return results.collect(Collectors.groupingBy(Result::model, LinkedHashMap::new, Collectors.toList()));
    }

    private static List<List<Result>> counterparts(List<Result> own, Map<String, List<Result>> published) {
        return published.values().stream()
                .filter(printed -> Published.isOf(own.getFirst(), printed.getFirst()))
                .toList();
    }

    private static LeaderboardRow printed(List<Result> printed) {
        return new LeaderboardRow(printed.getFirst().model(), " (published)", printed, List.of());
    }

    /** Subtracts over the benchmarks of both, so that averages are comparable. */
    private static LeaderboardRow difference(List<Result> own, List<Result> printed, String suffix) {
        Set<String> there = printed.stream().map(Result::dataset).collect(Collectors.toSet());
        Set<String> here = own.stream().map(Result::dataset).collect(Collectors.toSet());
        return new LeaderboardRow(
                own.getFirst().model(),
                suffix,
                own.stream().filter(result -> there.contains(result.dataset())).toList(),
                printed.stream()
                        .filter(result -> here.contains(result.dataset()))
                        .toList());
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

    Stream<String> datasets() {
        return results.stream().map(Result::dataset).distinct();
    }
}

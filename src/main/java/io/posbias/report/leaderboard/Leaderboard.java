package io.posbias.report.leaderboard;

import io.posbias.measure.Profile;
import io.posbias.result.Result;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Many results that shall become one table, models grouped by family, as the papers print them; a {@link Layout} says how.
 *
 * @param results those that have a profile of the measure, in the order in which models stand within their family
 * @param measure the measure's name
 * @param intervals whether numbers are printed with their intervals, where these are known
 */
public record Leaderboard(List<Result> results, String measure, boolean intervals) {
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
    Map<String, List<Line>> families() {
        Map<String, List<Line>> families = new LinkedHashMap<>();
        Families.group(results).forEach((family, members) -> families.put(family, Line.of(members)));
        return families;
    }

    /** The benchmarks in the order of their first result. */
    List<String> datasets() {
        Set<String> datasets = new LinkedHashSet<>();
        results.forEach(result -> datasets.add(result.dataset()));
        return List.copyOf(datasets);
    }

    /** The strata of all results in the order in which they appear. */
    List<String> strata() {
        Set<String> strata = new LinkedHashSet<>();
        results.forEach(result -> strata.addAll(result.strata()));
        return List.copyOf(strata);
    }

    /** The profile of the one of some results that is on a benchmark; null when there is none. */
    @Nullable
    Profile profile(List<Result> cells, String dataset, String stratum) {
        return cells.stream()
                .filter(cell -> cell.dataset().equals(dataset))
                .findFirst()
                .map(cell -> cell.profile(measure, stratum))
                .orElse(null);
    }

    /** The title of a table of this measure. */
    String title(String by) {
        return measure + " in points (x100) by " + by;
    }
}

package io.posbias.report.plot;

import io.posbias.base.files.FileNames;
import io.posbias.base.plot.Figure;
import io.posbias.report.leaderboard.Families;
import io.posbias.report.leaderboard.Leaderboard;
import io.posbias.score.result.Result;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Figures of results: for each benchmark position curves, strips, and PSI against the mean. */
public final class Plots {
    private Plots() {}

    /**
     * Draws results.
     *
     * @param results those without the measure are left out
     * @return figures by file name without extension; empty if there is nothing to draw
     */
    public static Map<String, Figure> figures(List<Result> results, String measure) {
        Map<String, List<Result>> byDataset = results.stream()
                .filter(result -> result.measures().contains(measure))
                .collect(Collectors.groupingBy(Result::dataset, LinkedHashMap::new, Collectors.toList()));
        List<String> models = Families.USUAL.ordered(results).stream()
                .map(Cells::label)
                .distinct()
                .toList();
        Map<String, Figure> figures = new LinkedHashMap<>();
        Set<String> taken = new HashSet<>();
        byDataset.forEach((dataset, same) -> {
            String file = FileNames.distinct(dataset, taken);
            Cells cells = new Cells(dataset, measure, Families.USUAL.ordered(same), models);
            draw(cells).forEach(figure -> figures.put(figure.name() + "-" + file, figure));
            List<Result> tiny = byDataset.getOrDefault(dataset + Leaderboard.TINY, List.of());
            Figure subset = PositionCurves.besideSubset(cells, tiny);
            if (subset != null) {
                figures.put(subset.name() + "-" + file, subset);
            }
        });
        return figures;
    }

    private static List<Figure> draw(Cells cells) {
        return Stream.of(PositionCurves.of(cells), Strips.of(cells), PsiScatter.of(cells))
                .filter(Objects::nonNull)
                .toList();
    }
}

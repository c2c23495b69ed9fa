package io.posbias.report.plot;

import io.posbias.base.plot.Axes;
import io.posbias.base.plot.Curves;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Panel;
import io.posbias.base.plot.Style;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jspecify.annotations.Nullable;

/** Means by position, a panel per model and a line per length band: PosIR's Figures 3 and 4. */
final class PositionCurves {
    private static final double LEAST_SPAN = 20;
    private static final double ROW_HEIGHT = 150;

    private PositionCurves() {}

    /** Draws the figure; null if no result has buckets. */
    static @Nullable Figure of(Cells cells) {
        List<Result> results = cells.bucketed();
        if (results.isEmpty()) {
            return null;
        }
        List<String> strata = cells.bands().isEmpty() ? List.of(Strata.ALL) : cells.bands();
        List<LegendItem> legend = strata.size() == 1
                ? List.of()
                : IntStream.range(0, strata.size())
                        .mapToObj(i -> Style.line(i).lineItem(strata.get(i)))
                        .toList();
        double top = cells.top(strata);
        // Lines may leave 0 out where all of them run far above it; 20 points are seen at least, so that noise stays
        // small.
        double low = Math.min(cells.bottom(strata), top - LEAST_SPAN);
        double bottom = low > top / 2 ? low : 0;
        List<Panel> panels = results.stream()
                .map(result -> panel(cells, result, strata, Axes.roomy(bottom, top)))
                .toList();
        int columns = strata.size() == 1 ? Figure.columnsFor(panels.size()) : columnsForBands(panels.size());
        return new Figure(
                "position",
                cells.title(cells.measure() + " by position of the evidence"),
                legend,
                panels,
                columns,
                columns == 1 && panels.size() > 1 ? ROW_HEIGHT : Figure.heightFor(columns),
                cells.bucketAxis().quantity(),
                cells.measure() + (bottom > 0 ? " (points, not from 0)" : " (points)"),
                null,
                note(cells, strata));
    }

    /**
     * Draws each model on a benchmark and on its tiny subset, as Figure 3 of the SQuAD-PosQ paper compares them.
     *
     * @return null if no model has buckets on both
     */
    static @Nullable Figure besideSubset(Cells whole, List<Result> tiny) {
        List<List<Result>> pairs = whole.bucketed().stream()
                .flatMap(full -> tiny.stream()
                        .filter(subset -> subset.model().equals(full.model()))
                        .map(subset -> List.of(full, subset)))
                .toList();
        List<Result> results = pairs.stream().flatMap(List::stream).toList();
        Cells both = new Cells(whole.dataset(), whole.measure(), results, whole.models());
        if (pairs.isEmpty() || both.bucketed().size() < results.size()) {
            return null;
        }
        List<String> all = List.of(Strata.ALL);
        double top = both.top(all);
        List<Panel> panels = new ArrayList<>();
        for (List<Result> pair : pairs) {
            Curves curves = new Curves();
            for (int i = 0; i < pair.size(); i++) {
                curves.add(Cells.points(both.overall(pair.get(i))), Style.line(i));
            }
            XYPlot plot = curves.plot(both.bucketAxis(), Axes.roomy(0, top));
            panels.add(new Panel(pair.getFirst().model(), "", plot));
        }
        int columns = Figure.columnsFor(panels.size());
        return new Figure(
                "subset",
                both.title(both.measure() + " on all queries and on the tiny subset"),
                IntStream.range(0, 2)
                        .mapToObj(i -> Style.line(i).lineItem(results.get(i).dataset()))
                        .toList(),
                panels,
                columns,
                Figure.heightFor(columns),
                both.bucketAxis().quantity(),
                both.measure() + " (points)",
                null,
                both.bucketNote(all));
    }

    private static int columnsForBands(int panels) {
        return panels <= 3 ? 1 : panels <= 8 ? 2 : Figure.columnsFor(panels);
    }

    private static Panel panel(Cells cells, Result result, List<String> strata, NumberAxis points) {
        Curves curves = new Curves();
        for (int i = 0; i < strata.size(); i++) {
            if (cells.profile(result, strata.get(i)) != null) {
                Style style = strata.size() == 1 ? cells.style(result) : Style.line(i);
                curves.add(Cells.points(cells.profile(result, strata.get(i))), style);
            }
        }
        return new Panel(Cells.label(result), psi(cells.overall(result)), curves.plot(cells.bucketAxis(), points));
    }

    private static String psi(Profile profile) {
        Psi psi = profile.printedPsi();
        Double value = psi.value();
        Double noise = psi.noise95();
        if (value == null) {
            return profile.hasThinPsi() ? "PSI of few queries" : "PSI undefined";
        }
        return "PSI " + Cells.fraction(value) + (noise == null ? "" : ", noise95 " + Cells.fraction(noise));
    }

    private static String fixed(Cells cells) {
        return cells.bucketed().stream()
                .map(result -> cells.overall(result).contentFixed())
                .filter(fixed -> fixed != null && fixed.method().equals(ContentFixed.OF_BENCHMARK))
                .findFirst()
                .map(fixed -> "The content is held fixed: each query has its evidence at all places.")
                .orElse("");
    }

    private static String note(Cells cells, List<String> strata) {
        boolean noise = cells.bucketed().stream()
                .map(result -> cells.overall(result).printedPsi())
                .anyMatch(psi -> psi.value() != null && psi.noise95() != null);
        return Cells.joined(List.of(
                cells.bucketNote(strata),
                fixed(cells),
                cells.bandNote(),
                noise ? "noise95: 95th percentile of PSI by " + cells.draws() + "." : ""));
    }
}

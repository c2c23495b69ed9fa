package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Panel;
import io.posbias.data.dataset.DataOrigin;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.study.diagnose.EvidenceResult.EvidenceDistribution;
import io.posbias.study.diagnose.EvidenceResult.EvidenceEstimate;
import io.posbias.study.diagnose.SegmentTexts.SegmentResult;
import io.posbias.study.diagnose.SegmentsDiagnosis.SegmentBand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.IntervalXYDataset;
import org.jfree.data.xy.XYDataset;
import org.jfree.data.xy.XYZDataset;
import org.junit.jupiter.api.Test;

class DiagnosisPicturesTest {
    private static SegmentsDiagnosis segments(boolean published) {
        return new SegmentsDiagnosis(texts(), published);
    }

    private static SegmentTexts texts() {
        return new SegmentTexts(
                new SegmentTexts.SegmentChoice(new SegmentSample.SegmentLimits(100, 512, null, 1), "in bands", 0.95),
                List.of(),
                (recipe, engine) -> {
                    throw new UnsupportedOperationException();
                });
    }

    private static List<SegmentResult<SegmentBand>> found(boolean cut, double... beginnings) {
        List<SegmentSimilarity.TextCosines> texts = IntStream.range(0, beginnings.length)
                .mapToObj(i -> new SegmentSimilarity.TextCosines(
                        "p" + i, 110 + 100 * i, cut, List.of(beginnings[i], 0.5, 0.25)))
                .toList();
        SegmentSimilarity.SegmentTruncation seen =
                new SegmentSimilarity.SegmentTruncation(256, true, cut ? beginnings.length : 0, 0);
        List<SegmentBand> bands = new SegmentSimilarity(texts, seen)
                .bands(new SegmentSample.SegmentBands(101, 511, List.of(200))).stream()
                        .map(band -> SegmentBand.of(band, 0.95))
                        .toList();
        return List.of(new SegmentResult<>("d", Map.of(), 9, 9, beginnings.length, seen, bands));
    }

    private static List<String> cells(Panel panel) {
        XYZDataset cells = (XYZDataset) panel.plot().getDataset();
        return IntStream.range(0, cells.getItemCount(0))
                .mapToObj(i -> String.format(
                        Locale.ROOT,
                        "%.0f %.0f %.3f",
                        cells.getXValue(0, i),
                        cells.getYValue(0, i),
                        cells.getZValue(0, i)))
                .toList();
    }

    private static List<String> rows(Panel panel) {
        return List.of(((SymbolAxis) panel.plot().getRangeAxis()).getSymbols());
    }

    @Test
    void aRowAModelAPanelABand() {
        Map<String, List<SegmentResult<SegmentBand>>> found = new LinkedHashMap<>();
        found.put("first", found(false, 0.8, 0.6));
        found.put("second", found(true, 0.9, 0.9));
        Figure figure = segments(false).figures(found).getFirst();
        assertThat(figure.panels()).extracting(Panel::title).containsExactly("d, all", "d, 101-200", "d, 201-511");
        assertThat(figure.panels()).extracting(Panel::subtitle).containsExactly("n = 2", "n = 1", "n = 1");
        // Rows are from bottom to top: the first model is above.
        assertThat(rows(figure.panels().getFirst())).containsExactly("second", "first");
        assertThat(cells(figure.panels().getFirst()))
                .containsExactly("0 0 0.900", "1 0 0.500", "2 0 0.250", "0 1 0.700", "1 1 0.500", "2 1 0.250");
        assertThat(cells(figure.panels().get(2)).get(3)).isEqualTo("0 1 0.600");
        assertThat(figure.note())
                .contains("second on d: 2 of 2 whole texts", " 0 segments ", " 256 tokens")
                .doesNotContain("first on d");
    }

    @Test
    void thePapersMapHasItsTwelveRows() {
        Figure figure = segments(true).figures(Map.of("m", found(false, 0.5))).getLast();
        assertThat(figure.panels()).extracting(Panel::title).containsExactly("SQuAD v2", "FineWeb-Edu");
        assertThat(rows(figure.panels().getFirst())).hasSize(6).last().isEqualTo("bge-m3-dense");
        assertThat(cells(figure.panels().get(1))).hasSize(18).first().isEqualTo("0 0 0.843");
    }

    /** Lines of equal segments begin at 0, and so do the paper's, a panel for each of its models and a line for each set. */
    @Test
    void curvesAreDrawnMinusSegmentOne() {
        List<SegmentSimilarity.TextCosines> texts = List.of(
                new SegmentSimilarity.TextCosines("p", 110, false, List.of(0.5, 0.75)),
                new SegmentSimilarity.TextCosines("q", 210, false, List.of(0.5, 1.0)));
        SegmentSimilarity.Band band = new SegmentSimilarity.Band("all", texts);
        SegmentCurvesDiagnosis diagnosis = new SegmentCurvesDiagnosis(texts(), 2, true);
        SegmentSimilarity.SegmentTruncation seen = new SegmentSimilarity.SegmentTruncation(256, true, 0, 0);
        List<Figure> figures = diagnosis.figures(Map.of(
                "m", List.of(new SegmentResult<>("d", Map.of(), 9, 9, 2, seen, List.of(diagnosis.curve(band))))));
        Panel own = figures.getFirst().panels().getFirst();
        assertThat(own.title()).isEqualTo("d, all");
        assertThat(own.subtitle()).contains("m", "n = 2");
        assertThat(lines(own)).containsExactly("1 0.000, 2 0.375");
        List<Panel> published = figures.getLast().panels();
        assertThat(published).extracting(Panel::title).hasSize(8).startsWith("BERT-base");
        assertThat(lines(published.getFirst())).hasSize(5).first().asString().endsWith("9 0.008, 10 0.029");
    }

    private static List<String> lines(Panel panel) {
        XYDataset lines = panel.plot().getDataset(2);
        return IntStream.range(0, lines.getSeriesCount())
                .mapToObj(line -> IntStream.range(0, lines.getItemCount(line))
                        .mapToObj(i -> String.format(
                                Locale.ROOT, "%.0f %.3f", lines.getXValue(line, i), lines.getYValue(line, i)))
                        .collect(Collectors.joining(", ")))
                .toList();
    }

    @Test
    void longNamesNarrowThePanels() {
        String longName = "a-model-with-a-very-long-name-that-nobody-would-type-twice-and-more";
        assertThat(segments(false)
                        .figures(Map.of(longName, found(false, 0.5)))
                        .getFirst()
                        .size(Figure.Frame.USUAL)
                        .width)
                .isEqualTo(Figure.WIDTH);
    }

    private static Query query(int start) {
        return new Query("q" + start, "q", new Evidence(start, start, 100, Evidence.UNKNOWN, List.of(), null));
    }

    @Test
    void evidenceIsASharePerBinWithTheEvenOneDashed() {
        EvidenceDistribution guessed =
                EvidenceDistribution.of(List.of(query(10), query(20), query(30), query(90)), 4, 0.95);
        EvidenceDistribution known = EvidenceDistribution.of(List.of(query(10), query(60)), 4, 0.95);
        EvidenceEstimate estimate = new EvidenceEstimate(
                "m",
                "",
                0,
                0,
                0,
                new EvidenceEstimate.Agreement(EvidenceDistribution.EvidenceShare.of(1, 2, 0.95), 0.5, known));
        DataOrigin data = new DataOrigin("d", Map.of(), Map.of());
        Figure figure = new EvidenceResult(
                        "", data, estimate, 0.95, EvidenceResult.At.MIDDLE, guessed, List.of(), List.of())
                .figure();
        assertThat(figure.panels())
                .extracting(Panel::title)
                .containsExactly("estimated by m, n = 4", "by spans, n = 2");
        Figure alone = new EvidenceResult("", data, null, 0.95, EvidenceResult.At.MIDDLE, known, List.of(), List.of())
                .figure();
        assertThat(alone.panels().getFirst().title()).isEqualTo("n = 2");
        XYPlot plot = figure.panels().getFirst().plot();
        IntervalXYDataset bars = (IntervalXYDataset) plot.getDataset();
        assertThat(IntStream.range(0, 4).mapToDouble(i -> bars.getYValue(0, i))).containsExactly(50.0, 25.0, 0.0, 25.0);
        assertThat(plot.getRangeMarkers(Layer.FOREGROUND))
                .singleElement()
                .satisfies(
                        marker -> assertThat(((ValueMarker) marker).getValue()).isEqualTo(25));
        assertThat(figure.note()).isEqualTo("Dashed: evenly spread.");
    }
}

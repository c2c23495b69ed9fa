package io.posbias.study.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.plot.Effects;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Pictures;
import io.posbias.base.process.Sessions;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Detail;
import io.posbias.study.probe.ItemScorer.ScoredItem;
import io.posbias.study.probe.redocred.RedocredProbes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.IntervalXYDataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeRunTest {
    private static final ProbeRun RUN = new ProbeRun(Map.of(), new ProbeTables.Content(0.95, false, Detail.USUAL));

    @TempDir
    Path temp;

    private static ScoredItem pair(String probe, String id, double first, double second) {
        return new ScoredItem(new ProbeItem(ProbeType.pairs(probe), id, "q", "a", "b", Map.of()), first, second);
    }

    private static ScoredItem moved(String id, int place, double score) {
        Map<String, String> tags = Map.of("position", String.valueOf(place));
        return new ScoredItem(new ProbeItem(RedocredProbes.type("moving"), id, "q", "a", null, tags), score, null);
    }

    private static PairTest only(ScoredItem... items) {
        return ProbeResult.of(List.of(items), 0.95).tests().getFirst();
    }

    /** Differences 1, 2, 3: mean 2, deviation 1; t(0.975, 2) = 4.302653, so the mean's interval is 2 -+ 2.484138. */
    @Test
    void anEffectIsTheMeanDifferenceInItsStandardDeviations() {
        PairTest test = only(pair("p", "a", 1, 0), pair("p", "b", 2, 0), pair("p", "c", 3, 0));
        Effects.Effect effect = test.inDeviations().orElseThrow();
        assertThat(effect.value()).isCloseTo(2, within(1e-12));
        Interval interval = Objects.requireNonNull(effect.interval());
        assertThat(interval.low()).isCloseTo(2 - 2.484138, within(1e-6));
        assertThat(interval.high()).isCloseTo(2 + 2.484138, within(1e-6));
        // Ten times the scores is the same effect.
        PairTest tenfold = only(pair("p", "a", 10, 0), pair("p", "b", 20, 0), pair("p", "c", 30, 0));
        assertThat(tenfold.inDeviations().orElseThrow().value()).isCloseTo(2, within(1e-12));
    }

    @Test
    void withoutSpreadOnlyNoDifferenceHasASize() {
        assertThat(only(pair("p", "a", 1, 1), pair("p", "b", 2, 2)).inDeviations())
                .contains(new Effects.Effect(0, null));
        assertThat(only(pair("p", "a", 2, 1), pair("p", "b", 3, 2)).inDeviations())
                .isEmpty();
        assertThat(only(pair("p", "a", 2, 1)).inDeviations()).isEmpty();
        // A mean of 0 with spread is at 0; its interval cannot be told from it.
        assertThat(only(pair("p", "a", 2, 1), pair("p", "b", 1, 2)).inDeviations())
                .contains(new Effects.Effect(0, null));
    }

    @Test
    void rowsStandFromTopToBottomAndModelsBelowEachOther() {
        Effects effects = new Effects("name", "title", "x");
        effects.add("m", "first", -0.5, new Interval(-1, 0));
        effects.add("m", "second", 2, new Interval(1, 3));
        effects.add("n", "second", 1, null);
        Figure figure = effects.figures("note").getFirst();
        XYPlot plot = figure.panels().getFirst().plot();
        assertThat(((SymbolAxis) plot.getRangeAxis()).getSymbols()).containsExactly("second", "first");
        IntervalXYDataset points = (IntervalXYDataset) plot.getDataset();
        assertThat(points.getXValue(0, 0)).isEqualTo(-0.5);
        assertThat(points.getStartXValue(0, 0)).isEqualTo(-1);
        assertThat(points.getEndXValue(0, 0)).isZero();
        assertThat(points.getYValue(0, 0)).isBetween(0.6, 1.4);
        assertThat(points.getYValue(0, 1)).isGreaterThan(points.getYValue(1, 0)).isBetween(-0.4, 0.4);
        assertThat(plot.getDomainAxis().getLowerBound()).isLessThanOrEqualTo(-1);
        assertThat(plot.getDomainAxis().getUpperBound()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void probesMovingAndGridsAreFilesOfTheirOwn() throws Exception {
        List<ScoredItem> items = new ArrayList<>(List.of(pair("foil", "a", 1, 0), pair("foil", "b", 3, 0)));
        items.addAll(List.of(moved("a", 1, 5), moved("b", 1, 6), moved("a", 2, 4), moved("b", 2, 3)));
        Map<String, String> cell = Map.of("heads_band", "4-10", "words_band", "131-160");
        items.add(new ScoredItem(new ProbeItem(RedocredProbes.type("grid"), "a", "q", "a", null, cell), 0.25, null));
        Map<String, ProbeResult> results = new LinkedHashMap<>();
        results.put("some/model", ProbeResult.of(items, 0.95));
        results.put("no grid", ProbeResult.of(items.subList(0, 2), 0.95));
        List<String> names =
                Pictures.write(Pictures.named(RUN.figures(results)), Pictures.Form.USUAL, temp, Sessions.shared())
                        .stream()
                        .map(file -> String.valueOf(file.getFileName()))
                        .toList();
        assertThat(names)
                .containsExactly("probes.svg", "probes.png", "moving.svg", "moving.png", "grid-1.svg", "grid-1.png");
        assertThat(Files.readString(temp.resolve("grid-1.svg"))).contains("some/model: mean", ">0.250<", ">4-10<");
        assertThat(Files.readString(temp.resolve("probes.svg"))).contains(">foil<", ">no grid<");
    }

    /** Differences of place 2 from place 1: -1 and -3, mean -2 and deviation sqrt(2). */
    @Test
    void movingBeginsAtZero() {
        List<ScoredItem> items = List.of(moved("a", 1, 5), moved("b", 1, 6), moved("a", 2, 4), moved("b", 2, 3));
        Figure figure =
                ProbeRun.places("here", Map.of("m", ProbeResult.of(items, 0.95).tests()));
        XYPlot plot = figure.panels().getFirst().plot();
        assertThat(plot.getDataset(2).getYValue(0, 0)).isZero();
        assertThat(plot.getDataset(2).getYValue(0, 1)).isCloseTo(-Math.sqrt(2), within(1e-12));
    }

    @Test
    void nothingIsDrawnOfNothing() {
        assertThat(RUN.figures(Map.of("m", new ProbeResult(List.of(), List.of()))))
                .isEmpty();
        assertThat(new Effects("name", "title", "x").figures("note")).isEmpty();
    }
}

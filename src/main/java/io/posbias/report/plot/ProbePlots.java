package io.posbias.report.plot;

import io.posbias.PosbiasException;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeResult;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws what probes found, as SVG and PNG. */
public final class ProbePlots {
    private static final String MOVING = "moving";
    private static final double LEAST_SPAN = 1e-6;

    private ProbePlots() {}

    /**
     * Writes {@code probes}, all comparisons of all models as effect sizes (Figure 1 of the paper shows t); {@code moving}, a
     * curve for each model; and {@code grid-N}, the grid of each model that has one. All of them or none.
     *
     * @param results by model
     * @param folder made when it is absent
     * @return the files written; empty when the results hold nothing that can be drawn
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> write(Map<String, ProbeResult> results, Path folder) {
        Map<String, Figure> figures = new LinkedHashMap<>();
        Effects effects = effects(results);
        if (!effects.isEmpty()) {
            figures.put(
                    "probes",
                    effects.figure("Points: paired mean difference in its standard deviations, t / sqrt(n). Whiskers:"
                            + " intervals of the mean difference, in the same unit. Above 0 the first text is preferred;"
                            + " docs/probes.md says what it is."));
        }
        Map<String, List<PairTest>> curves = curves(results);
        if (!curves.isEmpty()) {
            figures.put(MOVING, DiagnosePlots.moving("moving probe", curves));
        }
        int number = 1;
        for (Map.Entry<String, ProbeResult> entry : results.entrySet()) {
            if (!entry.getValue().grid().isEmpty()) {
                String name = "grid-" + number++;
                figures.put(name, grid(name, entry.getKey(), entry.getValue()));
            }
        }
        return Plots.write(figures, folder);
    }

    private static Effects effects(Map<String, ProbeResult> results) {
        Effects effects = new Effects("probes", "Probes: what models prefer", "effect size d = t / sqrt(n)");
        results.forEach((model, result) -> result.tests().stream()
                .filter(test -> !test.probe().equals(MOVING))
                .forEach(test -> effects.add(model, test)));
        return effects;
    }

    private static Map<String, List<PairTest>> curves(Map<String, ProbeResult> results) {
        Map<String, List<PairTest>> curves = new LinkedHashMap<>();
        results.forEach((model, result) -> {
            List<PairTest> tests = result.tests().stream()
                    .filter(test -> test.probe().equals(MOVING))
                    .toList();
            if (!tests.isEmpty()) {
                curves.put(model, tests);
            }
        });
        return curves;
    }

    private static Figure grid(String name, String model, ProbeResult result) {
        List<ProbeResult.GridCell> cells = result.grid();
        List<String> heads =
                cells.stream().map(ProbeResult.GridCell::heads).distinct().toList();
        List<String> words =
                cells.stream().map(ProbeResult.GridCell::words).distinct().toList();
        double low =
                cells.stream().mapToDouble(ProbeResult.GridCell::mean).min().orElse(0);
        double high =
                cells.stream().mapToDouble(ProbeResult.GridCell::mean).max().orElse(1);
        double span = Math.max(high - low, LEAST_SPAN);
        Viridis colours = new Viridis(Axes.roundDown(low, span), Axes.roundUp(low + span, span));
        HeatMap map = new HeatMap(HeatMap.names(heads), words, colours);
        for (int row = 0; row < words.size(); row++) {
            for (int column = 0; column < heads.size(); column++) {
                ProbeResult.GridCell cell =
                        result.cell(heads.get(column), words.get(row)).orElse(null);
                if (cell == null) {
                    map.addEmpty(column, row);
                } else {
                    map.add(column, row, cell.mean(), String.format(Locale.ROOT, "%.3f", cell.mean()));
                }
            }
        }
        return new Figure(
                name,
                model + ": mean score by length of the article and mentions of the head",
                List.of(),
                List.of(new Panel("", "", List.of(), map.plot())),
                1,
                HeatMap.ROW * words.size(),
                "mentions of the head",
                "words",
                colours,
                "Colours and numbers: mean scores, in the model's own unit.");
    }
}

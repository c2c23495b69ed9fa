package io.posbias.study.probe;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.files.Checksums;
import io.posbias.base.plot.CurveChart;
import io.posbias.base.plot.Curves;
import io.posbias.base.plot.Effects;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.HeatMaps;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.DiagnosisRunner;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Study;
import io.posbias.study.probe.ItemScorer.ScoredItem;
import io.posbias.study.probe.ProbeResult.GridCell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Diagnosis of files of probe items. */
public final class ProbeRun extends ItemDiagnosis<ProbeResult> {
    private static final double LEAST_SPAN = 1e-6;

    private final Map<Path, ItemScorer> scorers = new LinkedHashMap<>();
    private final Map<String, String> digests = new LinkedHashMap<>();
    private final ProbeTables.Content content;

    /**
     * @param files at least one; each is scored separately, because corpus statistics belong to one probe
     */
    public ProbeRun(Map<Path, List<ProbeItem>> files, ProbeTables.Content content) {
        super(null, new ItemScorer(files.values().stream().flatMap(List::stream).toList()), content.confidence());
        files.forEach((file, items) -> {
            scorers.put(file, new ItemScorer(items));
            digests.put(String.valueOf(file.getFileName()), Checksums.sha256(file));
        });
        this.content = content;
    }

    @Override
    public String work() {
        return "";
    }

    @Override
    public List<ScoredItem> score(Recipe recipe, Engine engine) {
        List<ScoredItem> scored = new ArrayList<>();
        scorers.forEach((file, scorer) -> scored.addAll(DiagnosisRunner.timed(
                recipe,
                engine,
                own -> file.getFileName() + ": " + Plural.of(own.size(), "item"),
                () -> scorer.score(recipe, engine))));
        return scored;
    }

    @Override
    public ProbeResult find(List<ScoredItem> scores, Map<String, ProbeResult> earlier) {
        return ProbeResult.of(scores, confidence);
    }

    public static Study study() {
        return new Study(
                "probe-result-1",
                ProbeRunFile.class,
                new Study.Csv("A line for each model and comparison, and for each cell of a grid.", ProbeTables.LINES),
                new Study.Csv("A line for each item.", SCORES));
    }

    public record ProbeRunFile(
            String schema,
            String model,
            String recipeSha256,
            String itemsSha256,
            Map<String, String> dataSha256,
            double confidence,
            @JsonUnwrapped ProbeResult result) {
        public static final String SCHEMA = "posbias/probe-result/1";
    }

    @Override
    public ProbeRunFile document(EvaluatedModel model, ProbeResult found) {
        return new ProbeRunFile(ProbeRunFile.SCHEMA, model.name(), model.sha256(), digest, digests, confidence, found);
    }

    @Override
    public List<Table> tables(Map<String, ProbeResult> found) {
        return ProbeTables.all(found, content);
    }

    @Override
    public Table raw(Map<String, ProbeResult> found) {
        return ProbeTables.raw(found, content.published());
    }

    /** Effect sizes of all comparisons (Figure 1 of the paper shows t), curves of probes of places, and one grid per model. */
    @Override
    public List<Figure> figures(Map<String, ProbeResult> found) {
        List<Figure> figures = new ArrayList<>();
        Effects effects = new Effects("probes", "Probes: what models prefer", "effect size d = t / sqrt(n)");
        Map<String, List<PairTest>> places = new LinkedHashMap<>();
        ProbeTables.Row.of(found).forEach(row -> {
            if (row.test().probe().shape().equals(Shape.PLACES)) {
                places.computeIfAbsent(row.model(), model -> new ArrayList<>()).add(row.test());
            } else {
                row.test().addTo(effects, row.model());
            }
        });
        figures.addAll(
                effects.figures("Points: paired mean difference in its standard deviations, t / sqrt(n). Whiskers:"
                        + " intervals of the mean difference, in the same unit. Above 0 the first text is preferred;"
                        + " docs/probes.md says what it is."));
        if (!places.isEmpty()) {
            figures.add(places("moving probe", places));
        }
        found.forEach((model, result) -> {
            if (!result.grid().isEmpty()) {
                int number = (int) figures.stream()
                                .filter(figure -> figure.name().startsWith("grid"))
                                .count()
                        + 1;
                figures.add(grid("grid-" + number, model, result));
            }
        });
        return figures;
    }

    /**
     * Score by place of the evidence minus that at place 1, in standard deviations of the differences, because models have
     * different units.
     *
     * @param againstFirst each later place against the first, by model
     */
    public static Figure places(String data, Map<String, List<PairTest>> againstFirst) {
        Map<String, List<Curves.Point>> lines = new LinkedHashMap<>();
        againstFirst.forEach((model, tests) -> {
            List<Curves.Point> points = new ArrayList<>(List.of(new Curves.Point(1, 0.0, null, false)));
            tests.forEach(test -> points.add(point(points.size() + 1, test)));
            lines.put(model, points);
        });
        return CurveChart.lines(
                "moving",
                "score by the place of the evidence: " + data,
                lines,
                "place of the evidence",
                "minus place 1, effect size d",
                "d: mean difference to place 1 in its standard deviations, t / sqrt(n). Bands: intervals of that mean,"
                        + " in the same unit.");
    }

    private static Curves.Point point(int place, PairTest test) {
        return test.inDeviations()
                .map(effect -> new Curves.Point(place, effect.value(), effect.interval(), false))
                .orElseGet(() -> new Curves.Point(place, null, null, false));
    }

    private static Figure grid(String name, String model, ProbeResult result) {
        List<String> heads =
                result.grid().stream().map(GridCell::heads).distinct().toList();
        List<HeatMaps.Line> lines = new ArrayList<>();
        result.grid().stream().map(GridCell::words).distinct().forEach(words -> {
            List<@Nullable Double> means = new ArrayList<>();
            heads.forEach(band ->
                    means.add(result.cell(band, words).map(GridCell::mean).orElse(null)));
            lines.add(HeatMaps.Line.of("", "", words, means, "%.3f"));
        });
        return HeatMaps.figure(
                name,
                model + ": mean score by length of the article and mentions of the head",
                lines.reversed(),
                heads,
                LEAST_SPAN,
                "mentions of the head",
                "words",
                "Colours and numbers: mean scores, in the model's own unit.");
    }
}

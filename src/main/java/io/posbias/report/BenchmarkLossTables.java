package io.posbias.report;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.Effects;
import io.posbias.base.plot.Figure;
import io.posbias.base.stats.RandomEffects;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Standing;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.score.over.BenchmarkLosses;
import io.posbias.score.over.BenchmarkLosses.Line;
import io.posbias.score.over.BenchmarkLosses.Model;
import io.posbias.score.over.BenchmarkLosses.Over;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tables, figure and files of {@link BenchmarkLosses}. */
public record BenchmarkLossTables(BenchmarkLosses losses) {
    private static final String SCHEMA = "posbias/benchmark-losses/2";
    public static final RecordCsv<Line> LINES = new RecordCsv<>(Line.class);

    /** Letters of the models whose loss is larger. */
    private String better(Model model) {
        return losses.pairs().stream()
                .filter(pair -> pair.holmPValue() < 1 - losses.confidence())
                .map(pair -> pair.difference().value() > 0
                        ? new String[] {pair.first(), pair.second()}
                        : new String[] {pair.second(), pair.first()})
                .filter(pair -> pair[0].equals(model.model()))
                .map(pair -> letter(pair[1]))
                .sorted()
                .collect(Collectors.joining());
    }

    private String letter(String model) {
        List<String> names = losses.models().stream().map(Model::model).toList();
        return Standing.letter(names.indexOf(model));
    }

    /** The table over benchmarks, and that of each benchmark. */
    public List<Table> tables(Detail detail) {
        String kind = losses.measure() + (losses.contentFixed() ? ", content held fixed" : " of profiles");
        String percent = NumberFormat.percent(losses.confidence());
        List<String> own = new ArrayList<>(losses.notes());
        own.add(method() + ", " + percent
                + " interval, t with one less than benchmarks; tau: standard deviation of log front - log back between"
                + " benchmarks; I2: its share of the variance");
        own.add("better than: letters of models with a larger loss (Holm p < " + NumberFormat.level(losses.confidence())
                + ", " + Plural.of(losses.pairs().size(), "comparison") + ")");
        if (detail.explain()) {
            own.add("tau by Paule and Mandel; prediction: the loss on another benchmark, " + percent);
            own.add(
                    losses.contentFixed()
                            ? "loss at back: 1 - back / front, over places with the content held fixed"
                            : "loss at back: 1 - mean of the last bucket / mean of the first; it includes what is asked there");
        }
        List<Line> lines = losses.models().stream()
                .flatMap(model -> model.benchmarks().stream())
                .toList();
        return List.of(
                columns(detail.digits()).table("Loss at the back over benchmarks, " + kind, losses.models(), own),
                each(detail.digits()).table("Loss at the back on each benchmark, " + kind, lines, List.of()));
    }

    private String method() {
        return losses.weights() == RandomEffects.Weights.EQUAL
                ? "benchmarks weighted equally (Ibragimov and Müller)"
                : "benchmarks weighted by precision (Hartung, Knapp, Sidik and Jonkman)";
    }

    private Columns<Model> columns(int digits) {
        return new Columns<Model>(digits)
                .label("model", model -> letter(model.model()) + " " + model.model())
                .text("benchmarks", model -> model.benchmarks().size())
                .estimate(
                        "loss at back",
                        NumberFormat.PERCENT,
                        model -> model.over().loss())
                .text("better than", this::better)
                .part(
                        model -> model.over().over(),
                        new Columns<Over>()
                                .number("tau", NumberFormat.FRACTION, Over::tau)
                                .number("I2", NumberFormat.PERCENT, Over::share)
                                .joined("prediction", over -> NumberFormat.PERCENT.print(over.prediction(), digits)));
    }

    private static Columns<Line> each(int digits) {
        return new Columns<Line>(digits)
                .label("model", Line::model)
                .label("dataset", Line::dataset)
                .text("queries", Line::queries)
                .text("clusters", Line::clusters)
                .estimate("loss at back", NumberFormat.PERCENT, Line::loss)
                .number("SE of log", NumberFormat.FRACTION, Line::standardError);
    }

    /** A line for each model and benchmark, and for each model over benchmarks. */
    public Table raw() {
        return LINES.table(losses.models().stream()
                .flatMap(model -> Stream.concat(model.benchmarks().stream(), Stream.of(model.over())))
                .toList());
    }

    /** A forest plot by file name: a row for each benchmark and for all. */
    public Map<String, Figure> figures() {
        Effects forest = new Effects(
                "loss-over-benchmarks", "Loss at the back, " + losses.measure(), "loss at the back, per cent");
        Set<String> rows = losses.models().stream()
                .flatMap(model -> model.benchmarks().stream().map(Line::dataset))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        rows.add(BenchmarkLosses.ALL);
        for (String row : rows) {
            for (Model model : losses.models()) {
                Stream.concat(model.benchmarks().stream(), Stream.of(model.over()))
                        .filter(line -> line.dataset().equals(row))
                        .map(Line::loss)
                        .filter(Objects::nonNull)
                        .forEach(loss -> forest.add(
                                model.model(),
                                row,
                                100 * loss.value(),
                                loss.interval().times(100)));
            }
        }
        String note =
                BenchmarkLosses.ALL + ": " + method() + ", " + NumberFormat.percent(losses.confidence()) + " intervals";
        return forest.figures(note).stream().collect(Collectors.toMap(Figure::name, Function.identity()));
    }

    /** JSON of losses: docs/schema/benchmark-losses-2.schema.json. */
    public record LossesFile(String schema, @JsonUnwrapped BenchmarkLosses losses) {}

    public LossesFile document() {
        return new LossesFile(SCHEMA, losses);
    }
}

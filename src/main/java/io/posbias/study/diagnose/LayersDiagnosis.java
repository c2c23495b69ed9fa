package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.Axes;
import io.posbias.base.plot.Curves;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Panel;
import io.posbias.base.plot.Style;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.Moments.Mean;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.model.encode.Engine;
import io.posbias.model.inside.InsideModel;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.Diagnosis;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Study;
import io.posbias.study.diagnose.SegmentSample.SampledText;
import io.posbias.study.diagnose.SegmentTexts.DrawnSegments;
import io.posbias.study.probe.PairTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jfree.chart.LegendItem;
import org.jspecify.annotations.Nullable;

/**
 * {@code diagnose segments --layers}: cosine of the pooled vector and each fifth of the text after every layer, of a model
 * and of networks with its shapes and random weights.
 */
public record LayersDiagnosis(LayerChoice choice, List<DrawnSegments> drawn)
        implements Diagnosis<LayersDiagnosis.LayerScores, LayersDiagnosis.LayersFound> {
    /** Number of random networks by default. */
    public static final int CONTROLS = 3;

    private static final List<String> FIFTHS = List.of("front", "second", "middle", "fourth", "back");
    private static final int LEAST_TEXTS = 2;
    /** Ticks of a cosine axis per unit. */
    private static final double TICKS = 10;

    /**
     * Selection of passages and random networks.
     *
     * @param limits their seed is also that of the first random network; the next have the next numbers
     * @param controls number of random networks
     */
    public record LayerChoice(@JsonUnwrapped SegmentSample.SegmentLimits limits, int controls, double confidence) {}

    /**
     * Cosines of a text.
     *
     * @param trained by layer and fifth
     * @param controls of each random network, by layer and fifth
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every cosine
    record TextLayers(SampledText text, boolean cut, double[][] trained, List<double[][]> controls) {
        /** Mean over the random networks, by layer and fifth. */
        double control(int layer, int fifth) {
            return controls.stream()
                    .mapToDouble(own -> own[layer][fifth])
                    .average()
                    .orElseThrow();
        }
    }

    /**
     * Cosines of a model.
     *
     * @param texts of each benchmark, those with fewer than five tokens left out
     */
    public record LayerScores(String pooling, LayerEngine engine, List<List<TextLayers>> texts) {}

    /**
     * What looked into the model.
     *
     * @param engine versions, device, type of numbers and threads; null in results of posbias's former engine, PyTorch in Java
     * @param generator of random weights; null there, where it was java.util.Random
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record LayerEngine(
            @Nullable String engine, @Nullable String generator) {}

    public record LayersFound(String pooling, LayerEngine engine, List<LayersResult> datasets) {}

    /**
     * Number of texts.
     *
     * @param fit distinct texts within the limits
     * @param left texts with fewer than five tokens that are read
     * @param cut truncated texts among the others
     */
    public record LayerTexts(int passages, int fit, int drawn, int left, int cut) {}

    public record LayersResult(
            String dataset,
            Map<String, String> datasetSha256,
            @JsonUnwrapped LayerTexts texts,
            List<LayerResult> layers) {}

    /** Mean cosines of one layer's pooled vector with the mean token vector of each fifth of the text. */
    public record LayerProfile(
            @Meaning(value = "mean cosine of the pooled vector and the first fifth, with its interval", unit = "cosine")
            Mean front,

            @Meaning(value = "of the pooled vector and the second fifth", unit = "cosine")
            Mean second,

            @Meaning(value = "of the pooled vector and the third fifth", unit = "cosine")
            Mean middle,

            @Meaning(value = "of the pooled vector and the fourth fifth", unit = "cosine")
            Mean fourth,

            @Meaning(value = "of the pooled vector and the last fifth", unit = "cosine")
            Mean back,

            @Meaning(value = "front minus back, paired by text", unit = "cosine")
            Estimate frontBack) {
        private List<Mean> fifths() {
            return List.of(front, second, middle, fourth, back);
        }
    }

    /**
     * One layer.
     *
     * @param layer 0 for the embeddings
     * @param control of the means over random networks of each text
     * @param difference front minus back of the model, minus that of the control, paired by text
     * @param frontBackByControl front minus back of each random network
     */
    public record LayerResult(
            @Meaning(value = "0 for the embeddings, else the number of the transformer layer", unit = "number")
            int layer,

            LayerProfile trained,
            LayerProfile control,

            @Meaning(value = "`trained_front_back` minus `control_front_back`, paired by text", unit = "cosine")
            Estimate difference,

            List<Double> frontBackByControl) {}

    @Override
    public boolean looksInside() {
        return true;
    }

    /** A text as one network reads it. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Read(double[][] cosines, String pooling, boolean cut) {}

    @Override
    public LayerScores score(Recipe recipe, Engine engine) {
        try (InsideModel model = InsideModel.open(recipe, engine)) {
            List<List<Optional<Read>>> trained = read(model, recipe, recipe.name() + ": layers", engine);
            List<List<List<Optional<Read>>>> controls = new ArrayList<>();
            String generator = "";
            for (int i = 0; i < choice.controls(); i++) {
                generator = model.passages().randomise(choice.limits().seed() + i);
                controls.add(read(
                        model,
                        recipe,
                        recipe.name() + ": layers with random weights, " + (i + 1) + " of " + choice.controls(),
                        engine));
            }
            String pooling = trained.stream()
                    .flatMap(List::stream)
                    .flatMap(Optional::stream)
                    .map(Read::pooling)
                    .findFirst()
                    .orElse("");
            return new LayerScores(
                    pooling,
                    new LayerEngine(model.engine(), generator),
                    IntStream.range(0, drawn.size())
                            .mapToObj(i -> texts(i, trained, controls))
                            .toList());
        }
    }

    private List<TextLayers> texts(
            int dataset, List<List<Optional<Read>>> trained, List<List<List<Optional<Read>>>> controls) {
        List<SampledText> sample = drawn.get(dataset).sample().texts();
        return IntStream.range(0, sample.size())
                .boxed()
                .flatMap(text -> trained.get(dataset).get(text).stream()
                        .map(own -> new TextLayers(
                                sample.get(text),
                                own.cut(),
                                own.cosines(),
                                controls.stream()
                                        .map(control -> control.get(dataset)
                                                .get(text)
                                                .orElseThrow()
                                                .cosines())
                                        .toList())))
                .toList();
    }

    private List<List<Optional<Read>>> read(InsideModel model, Recipe recipe, String label, Engine engine) {
        return drawn.stream()
                .map(one -> read(one.sample().texts(), model, recipe, label + " on " + one.dataset(), engine))
                .toList();
    }

    private static List<Optional<Read>> read(
            List<SampledText> texts, InsideModel model, Recipe recipe, String label, Engine engine) {
        List<Optional<Read>> read = new ArrayList<>(Collections.nCopies(texts.size(), Optional.empty()));
        try (Progress.Step step = engine.progress().start(label, texts.size())) {
            List<String> sent = texts.stream().map(SampledText::text).toList();
            model.passages().layers(sent, FIFTHS.size(), (own, text) -> {
                if (!own.vectors().isEmpty()) {
                    double[][] cosines = cosines(own.vectors(), texts.get(text), recipe);
                    read.set(
                            text,
                            Optional.of(
                                    new Read(cosines, own.pooling(), own.read().cut())));
                }
                step.advance(1);
            });
        }
        return read;
    }

    private static double[][] cosines(List<List<float[]>> layers, SampledText text, Recipe recipe) {
        double[][] cosines = new double[layers.size()][FIFTHS.size()];
        for (int layer = 0; layer < cosines.length; layer++) {
            List<float[]> own = layers.get(layer);
            for (int fifth = 0; fifth < FIFTHS.size(); fifth++) {
                cosines[layer][fifth] = SegmentSimilarity.cosine(own.getFirst(), own.get(1 + fifth));
                if (Double.isNaN(cosines[layer][fifth])) {
                    throw new PosbiasException(recipe.name() + ", passage " + text.passage() + ", layer " + layer
                            + ": no cosine of the pooled vector and the " + FIFTHS.get(fifth)
                            + " fifth: a vector is zero or not finite");
                }
            }
        }
        return cosines;
    }

    @Override
    public LayersFound find(LayerScores scores, Map<String, LayersFound> earlier) {
        List<LayersResult> found = new ArrayList<>();
        for (DrawnSegments one : drawn) {
            List<TextLayers> texts = scores.texts().get(found.size());
            int sampled = one.sample().texts().size();
            if (texts.size() < LEAST_TEXTS) {
                throw new PosbiasException(one.dataset() + ": an interval needs at least " + LEAST_TEXTS
                        + " passages with five tokens or more that are read, not " + texts.size() + " of "
                        + sampled);
            }
            found.add(new LayersResult(
                    one.dataset(),
                    one.sha256(),
                    new LayerTexts(one.sample().passages(), one.sample().fit(), sampled, sampled - texts.size(), (int)
                            texts.stream().filter(TextLayers::cut).count()),
                    IntStream.range(0, texts.getFirst().trained().length)
                            .mapToObj(layer -> layer(layer, texts))
                            .toList()));
        }
        return new LayersFound(scores.pooling(), scores.engine(), found);
    }

    /** A cosine of a text by fifth. */
    @FunctionalInterface
    private interface OfFifth {
        double of(TextLayers text, int fifth);
    }

    private LayerResult layer(int layer, List<TextLayers> texts) {
        OfFifth trained = (text, fifth) -> text.trained()[layer][fifth];
        OfFifth control = (text, fifth) -> text.control(layer, fifth);
        return new LayerResult(
                layer,
                profile(texts, trained),
                profile(texts, control),
                estimate(texts, text -> frontBack(text, trained) - frontBack(text, control)),
                IntStream.range(0, choice.controls())
                        .mapToObj(number -> estimate(
                                        texts,
                                        text -> frontBack(
                                                text,
                                                (own, fifth) -> own.controls().get(number)[layer][fifth]))
                                .value())
                        .toList());
    }

    private LayerProfile profile(List<TextLayers> texts, OfFifth cosine) {
        List<Mean> means = IntStream.range(0, FIFTHS.size())
                .mapToObj(fifth -> Mean.of(
                        texts.stream()
                                .mapToDouble(text -> cosine.of(text, fifth))
                                .toArray(),
                        choice.confidence()))
                .toList();
        return new LayerProfile(
                means.get(0),
                means.get(1),
                means.get(2),
                means.get(3),
                means.get(4),
                estimate(texts, text -> frontBack(text, cosine)));
    }

    private static double frontBack(TextLayers text, OfFifth cosine) {
        double difference = cosine.of(text, 0) - cosine.of(text, FIFTHS.size() - 1);
        return Math.abs(difference) <= PairTest.ROUNDING ? 0 : difference;
    }

    private Estimate estimate(List<TextLayers> texts, ToDoubleFunction<TextLayers> value) {
        return Moments.of(texts.stream().mapToDouble(value).toArray()).estimate(choice.confidence());
    }

    public static Study study() {
        return new Study(
                "layers-1",
                LayersFile.class,
                new Study.Csv("A line for each model, benchmark and layer.", LINES),
                new Study.Csv("A line for each text, network, layer and fifth.", SCORES));
    }

    public record LayersFile(
            String schema,
            String model,
            String recipeSha256,
            String pooling,
            @JsonUnwrapped LayerEngine engine,
            @JsonUnwrapped LayerChoice choice,
            List<LayersResult> datasets) {}

    @Override
    public LayersFile document(EvaluatedModel model, LayersFound found) {
        return new LayersFile(
                "posbias/layers/1",
                model.name(),
                model.sha256(),
                found.pooling(),
                found.engine(),
                choice,
                found.datasets());
    }

    private record LayerScoreRow(
            String dataset,
            @Meaning("identifier of the passage") String passage,
            @Meaning(value = "its length", unit = "words") int words,
            @Meaning("whether it was truncated") boolean cut,

            @Meaning(value = "0 for the model's own weights, else the number of the random network", unit = "number")
            int control,

            @Meaning(value = "0 for the embeddings, else the number of the transformer layer", unit = "number")
            int layer,

            @Meaning(value = "fifth of the tokens that were read, from 1", unit = "number")
            int fifth,

            @Meaning(
                    value = "cosine of the layer's pooled vector and the mean token vector of the fifth",
                    unit = "cosine")
            double cosine) {}

    private static final RecordCsv<LayerScoreRow> SCORES = new RecordCsv<>(LayerScoreRow.class);

    @Override
    public Table scores(LayerScores scores) {
        List<LayerScoreRow> rows = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            String dataset = drawn.get(i).dataset();
            for (TextLayers text : scores.texts().get(i)) {
                List<double[][]> networks = new ArrayList<>();
                networks.add(text.trained());
                networks.addAll(text.controls());
                for (int network = 0; network < networks.size(); network++) {
                    addTo(rows, dataset, text, network, networks.get(network));
                }
            }
        }
        return SCORES.table(rows);
    }

    private static void addTo(
            List<LayerScoreRow> rows, String dataset, TextLayers text, int network, double[][] cosines) {
        for (int layer = 0; layer < cosines.length; layer++) {
            for (int fifth = 0; fifth < FIFTHS.size(); fifth++) {
                rows.add(new LayerScoreRow(
                        dataset,
                        text.text().passage(),
                        text.text().words(),
                        text.cut(),
                        network,
                        layer,
                        fifth + 1,
                        cosines[layer][fifth]));
            }
        }
    }

    private record LayerRow(
            String model, String dataset, @JsonUnwrapped LayerResult result) {}

    private static final RecordCsv<LayerRow> LINES = new RecordCsv<>(LayerRow.class);

    @Override
    public Table raw(Map<String, LayersFound> found) {
        List<LayerRow> rows = new ArrayList<>();
        found.forEach((model, own) -> own.datasets()
                .forEach(on -> on.layers().forEach(layer -> rows.add(new LayerRow(model, on.dataset(), layer)))));
        return LINES.table(rows);
    }

    private static Columns<LayerResult> profiles(Function<LayerResult, LayerProfile> of) {
        Columns<LayerResult> columns = new Columns<LayerResult>().text("layer", LayerResult::layer);
        for (int i = 0; i < FIFTHS.size(); i++) {
            int fifth = i;
            columns.number(
                    FIFTHS.get(i),
                    NumberFormat.FRACTION,
                    row -> of.apply(row).fifths().get(fifth).mean());
        }
        return columns.estimate(
                "front - back",
                NumberFormat.SIGNED_FRACTION,
                row -> of.apply(row).frontBack());
    }

    private static final Columns<LayerResult> TRAINED = profiles(LayerResult::trained);
    private static final Columns<LayerResult> CONTROL = profiles(LayerResult::control);

    private static final Columns<LayerResult> DIFFERENCE = new Columns<LayerResult>()
            .text("layer", LayerResult::layer)
            .number(
                    "model",
                    NumberFormat.SIGNED_FRACTION,
                    row -> row.trained().frontBack().value())
            .number(
                    "random",
                    NumberFormat.SIGNED_FRACTION,
                    row -> row.control().frontBack().value())
            .text("networks", LayersDiagnosis::range)
            .estimate("model - random", NumberFormat.SIGNED_FRACTION, LayerResult::difference);

    private static String range(LayerResult row) {
        double[] all = row.frontBackByControl().stream()
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return NumberFormat.SIGNED_FRACTION.print(all[0]) + ".."
                + NumberFormat.SIGNED_FRACTION.print(all[all.length - 1]);
    }

    @Override
    public List<Table> tables(Map<String, LayersFound> found) {
        List<Table> tables = new ArrayList<>();
        String interval = "interval: " + NumberFormat.percent(choice.confidence())
                + ", t over texts, paired; p not corrected for the number of layers";
        found.forEach((model, own) -> own.datasets().forEach(on -> {
            String name = model + " on " + on.dataset();
            tables.add(TRAINED.table(
                    name + ": cosine of the pooled vector and each fifth, by layer", on.layers(), notes(own, on)));
            tables.add(CONTROL.table(
                    name + ": random weights, mean of " + Plural.of(choice.controls(), "network"),
                    on.layers(),
                    List.of("matrices: normal, mean 0, standard deviation of the model's matrix; norms 1, biases 0;"
                            + " seeds from " + choice.limits().seed() + " of "
                            + own.engine().generator())));
            tables.add(DIFFERENCE.table(
                    name + ": front - back of the model and of random weights",
                    on.layers(),
                    List.of("networks: least and greatest front - back of a random network", interval)));
        }));
        return tables;
    }

    private static List<String> notes(LayersFound own, LayersResult on) {
        LayerTexts texts = on.texts();
        List<String> notes = new ArrayList<>(
                List.of("pooling " + own.pooling() + "; layer 0: embeddings; fifths of the tokens read, without special"
                        + " tokens and prompt; n = " + (texts.drawn() - texts.left())));
        if (texts.cut() > 0) {
            notes.add(Plural.of(texts.cut(), "text") + " truncated: back is the last fifth that was read");
        }
        if (texts.left() > 0) {
            notes.add(Plural.of(texts.left(), "text") + " with fewer than five tokens left out");
        }
        return notes;
    }

    /** A panel per model and benchmark: a line per fifth, dashed for random weights. */
    @Override
    public List<Figure> figures(Map<String, LayersFound> found) {
        List<LegendItem> legend = new ArrayList<>();
        for (int fifth = 0; fifth < FIFTHS.size(); fifth++) {
            legend.add(Style.solid(fifth).lineItem(FIFTHS.get(fifth)));
        }
        legend.add(Style.dashed(0).bareItem("random weights (dashed)"));
        double low = low(found);
        List<Panel> panels = new ArrayList<>();
        found.forEach((model, own) -> own.datasets().forEach(on -> panels.add(panel(model, own, on, low))));
        int columns = Figure.columnsFor(panels.size());
        return List.of(new Figure(
                "layers",
                "cosine of the pooled vector and each fifth of the text, by layer",
                legend,
                panels,
                columns,
                Figure.heightFor(columns),
                "layer (0: embeddings)",
                "cosine",
                null,
                "Bands: " + NumberFormat.percent(choice.confidence()) + " intervals over texts. Dashed: mean of "
                        + Plural.of(choice.controls(), "network")
                        + " with the shapes of the model and random weights."));
    }

    /** Returns the lower end of the common axis: the tick below all intervals. */
    private static double low(Map<String, LayersFound> found) {
        double low = found.values().stream()
                .flatMap(own -> own.datasets().stream())
                .flatMap(on -> on.layers().stream())
                .flatMap(layer -> Stream.of(layer.trained(), layer.control()))
                .flatMap(profile -> profile.fifths().stream())
                .mapToDouble(mean -> Objects.requireNonNull(mean.interval()).low())
                .min()
                .orElse(0);
        return Math.floor(TICKS * low) / TICKS;
    }

    /** @param low lower end of the axis, common to all panels */
    private static Panel panel(String model, LayersFound own, LayersResult on, double low) {
        Curves curves = new Curves();
        for (int fifth = 0; fifth < FIFTHS.size(); fifth++) {
            curves.addBare(points(on, fifth, LayerResult::control), Style.dashed(fifth));
            curves.add(points(on, fifth, LayerResult::trained), Style.solid(fifth));
        }
        int last = on.layers().size() - 1;
        return new Panel(
                model + ", " + on.dataset(),
                "pooling " + own.pooling() + ", n = "
                        + (on.texts().drawn() - on.texts().left()),
                curves.plot(Axes.numbers(-0.3, last + 0.3), Axes.roomy(low, 1)));
    }

    private static List<Curves.Point> points(LayersResult on, int fifth, Function<LayerResult, LayerProfile> of) {
        return on.layers().stream()
                .map(layer -> {
                    Mean mean = of.apply(layer).fifths().get(fifth);
                    return new Curves.Point(layer.layer(), mean.mean(), mean.interval(), false);
                })
                .toList();
    }
}

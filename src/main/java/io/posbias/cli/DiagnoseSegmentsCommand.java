package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetReader;
import io.posbias.encode.CachedEncoder;
import io.posbias.encode.Engine;
import io.posbias.probe.LengthBands;
import io.posbias.probe.SegmentCosines;
import io.posbias.probe.SegmentSample;
import io.posbias.probe.SegmentSimilarity;
import io.posbias.report.SegmentFiles;
import io.posbias.report.SegmentTables;
import io.posbias.report.Table;
import io.posbias.report.plot.DiagnosePlots;
import io.posbias.retrieve.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code posbias diagnose segments}: which part of a text its vector resembles most. */
@Command(
        name = "segments",
        description = {
            "Compare the vector of whole passages with those of their beginning, middle",
            "and end, by cosine: only for models with one vector a text."
        },
        sortOptions = false,
        footer = {
            "",
            "The defaults are the SQuAD-PosQ paper's for SQuAD; for FineWeb-edu it took",
            "--min-words 200 --max-words 500.",
            "",
            "Examples:",
            "  posbias diagnose segments --model all-minilm-l6-v2 --dataset squad-posq \\",
            "      --with-published --plots pictures",
            "  posbias diagnose segments --model my.yaml --dataset mine,demo \\",
            "      --min-words 20 --lengths 50,100,200",
        })
final class DiagnoseSegmentsCommand implements Callable<Integer> {
    /** Below this a third of a text may hold nothing. */
    private static final int LEAST_WORDS = 2;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--dataset",
            required = true,
            split = ",",
            paramLabel = "DATASET",
            description = "Names from 'posbias data list' or folders, separated by commas.")
    private List<String> names = List.of();

    @Option(
            names = "--min-words",
            paramLabel = "N",
            defaultValue = "" + SegmentSample.MIN_WORDS,
            description = "Only passages of more words than this, 2 or more (default: ${DEFAULT-VALUE}).")
    private int minWords;

    @Option(
            names = "--max-words",
            paramLabel = "N",
            defaultValue = "" + SegmentSample.MAX_WORDS,
            description = "Only passages of fewer words than this (default: ${DEFAULT-VALUE}).")
    private int maxWords;

    @Option(
            names = "--lengths",
            split = ",",
            paramLabel = "N",
            description = "Upper edges of bands of length, in words (default: quartiles of the passages drawn).")
    private List<Integer> lengths = List.of();

    @Option(
            names = "--n",
            paramLabel = "N",
            defaultValue = "" + SegmentSample.N,
            description = "Draw this many of the different passages that fit (default: ${DEFAULT-VALUE}).")
    private int n;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            defaultValue = "" + SegmentSample.SEED,
            description = "Seed of the shuffle (default: ${DEFAULT-VALUE}).")
    private int seed;

    @Mixin
    private StatisticsOptions statistics = new StatisticsOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Option(names = "--with-published", description = "Add what the SQuAD-PosQ paper printed in its Table 4.")
    private boolean withPublished;

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    /** A benchmark's passages, drawn. */
    private record Drawn(SegmentTables.Source source, SegmentSample sample, LengthBands bands) {}

    @Override
    public Integer call() {
        check();
        List<Recipe> recipes = modelOptions.recipes(models.names());
        recipes.forEach(DiagnoseSegmentsCommand::encoder);
        Datasets datasets = new Datasets(spec.commandLine().getErr());
        List<Datasets.Source> sources =
                names.stream().flatMap(name -> datasets.sources(name).stream()).toList();
        CellRunner.refuseTwins("--model", recipes, "--dataset", sources);
        List<Drawn> drawn = sources.stream().map(this::draw).toList();
        Engine engine = modelOptions.device().engine(statistics.threads(), this::say);
        ModelStore store = new ModelStore(this::say);
        List<SegmentTables.Cell> all = new ArrayList<>();
        List<Map<String, Object>> documents = new ArrayList<>();
        for (Recipe recipe : recipes) {
            store.require(recipe);
            List<SegmentTables.Cell> cells = cells(recipe, drawn, engine);
            all.addAll(cells);
            Map<String, Object> document =
                    SegmentFiles.document(setup(), recipe.name(), ModelStore.fingerprint(recipe), cells);
            documents.add(document);
            output.write(recipe.name(), () -> Json.toBytes(document), () -> SegmentFiles.csv(cells));
        }
        print(all, documents);
        plots.draw(folder -> DiagnosePlots.segments(all, withPublished, folder));
        return ExitCode.OK;
    }

    private void check() {
        statistics.check();
        modelOptions.device().check();
        output.check();
        if (minWords < LEAST_WORDS) {
            throw new UsageException("--min-words must be at least " + LEAST_WORDS + ", not " + minWords);
        }
        if (maxWords < minWords + 2) {
            throw new UsageException(
                    "no text has more than --min-words " + minWords + " and fewer than --max-words " + maxWords);
        }
        if (n < 1) {
            throw new UsageException("--n must be at least 1, not " + n);
        }
        if (seed < 0) {
            throw new UsageException("--seed must be 0 or more, not " + seed);
        }
        int before = minWords;
        for (int edge : lengths) {
            if (edge <= before || edge >= maxWords - 1) {
                throw new UsageException("--lengths must ascend, from " + (minWords + 1) + " to " + (maxWords - 2)
                        + " words, not " + lengths);
            }
            before = edge;
        }
    }

    private SegmentTables.Setup setup() {
        String bands = lengths.isEmpty() ? "in quartiles of the lengths drawn" : "in bands by --lengths";
        return new SegmentTables.Setup(minWords, maxWords, seed, bands, statistics.confidence());
    }

    /** What opens a model's encoder. */
    private static Function<Engine, CachedEncoder> encoder(Recipe recipe) {
        return recipe.retriever()
                .vectors()
                .orElseThrow(() -> new UsageException("--model " + recipe.name() + " is of kind " + recipe.kind()
                        + ", which gives a text no single vector: there is no cosine of a text and its segments"));
    }

    private Drawn draw(Datasets.Source source) {
        Dataset dataset = DatasetReader.open(source.folder().get());
        SegmentSample sample = SegmentSample.draw(dataset.passages(), minWords, maxWords, n, seed);
        if (sample.texts().isEmpty()) {
            throw new PosbiasException(source.name() + ": none of " + sample.passages() + " passages has more than "
                    + minWords + " and fewer than " + maxWords + " words; see --min-words and --max-words");
        }
        say(source.name() + ": " + sample.texts().size() + " drawn of " + sample.fit()
                + " different texts of more than " + minWords + " and fewer than " + maxWords + " words, among "
                + sample.passages() + " passages");
        int[] words =
                sample.texts().stream().mapToInt(SegmentSample.Text::words).toArray();
        return new Drawn(
                new SegmentTables.Source(source.name(), dataset.checksums(), sample.passages(), sample.fit()),
                sample,
                bands(words));
    }

    private LengthBands bands(int[] words) {
        return lengths.isEmpty() ? LengthBands.quartiles(words) : new LengthBands(minWords + 1, maxWords - 1, lengths);
    }

    private List<SegmentTables.Cell> cells(Recipe recipe, List<Drawn> drawn, Engine engine) {
        List<SegmentTables.Cell> cells = new ArrayList<>();
        try (CachedEncoder encoder = encoder(recipe).apply(engine)) {
            for (Drawn one : drawn) {
                long start = System.nanoTime();
                SegmentEncoder.Encoded encoded = SegmentEncoder.encode(
                        one.sample(), encoder, recipe, "encode " + one.source().name());
                List<SegmentCosines> cosines = encoded.cosines();
                cells.add(new SegmentTables.Cell(
                        recipe.name(),
                        one.source(),
                        SegmentSimilarity.of(cosines, one.bands(), statistics.confidence()),
                        encoded.cut(),
                        cosines));
                say(String.format(
                        Locale.ROOT,
                        "%s on %s: %d passages, %.1f s",
                        recipe.name(),
                        one.source().name(),
                        cosines.size(),
                        (System.nanoTime() - start) / 1e9));
            }
            say(recipe.name() + ": "
                    + encoder.effort().entrySet().stream()
                            .map(figure -> figure.getKey() + " " + figure.getValue())
                            .collect(Collectors.joining(", ")));
        }
        return cells;
    }

    private void print(List<SegmentTables.Cell> cells, List<Map<String, Object>> documents) {
        List<Table> tables =
                List.of(SegmentTables.means(setup(), cells, withPublished), SegmentTables.differences(setup(), cells));
        form.format()
                .print(
                        spec.commandLine().getOut(),
                        () -> Json.toBytes(documents),
                        tables,
                        SegmentTables.tidy(cells, withPublished));
    }

    private void say(String line) {
        Terminal.say(spec, line);
    }
}

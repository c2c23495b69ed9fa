package io.posbias.cli.diagnose;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.OutputOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.SparkOptions;
import io.posbias.cli.common.StudyCommand;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.PlainDocuments;
import io.posbias.data.named.Datasets;
import io.posbias.model.inside.InsideModel;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.Diagnosis;
import io.posbias.run.placing.Documents.TokenLengths;
import io.posbias.score.result.Study;
import io.posbias.study.diagnose.LayersDiagnosis;
import io.posbias.study.diagnose.SegmentCurvesDiagnosis;
import io.posbias.study.diagnose.SegmentSample;
import io.posbias.study.diagnose.SegmentTexts;
import io.posbias.study.diagnose.SegmentsDiagnosis;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias diagnose segments}: similarity of a text's vector to those of its parts. */
@Command(
        name = "segments",
        description = "Compare the vectors of passages with those of their parts.",
        footer = {
            "",
            "The parts are beginning, middle and end, cut at 0.333 and 0.666 of the characters, or with --segments"
                    + " of equal length in characters, as in the training paper (arXiv:2605.26578).",
            "",
            "For models with one vector per text; compared by cosine. --layers looks into the model, which needs"
                    + " Python (docs/worker.md#inside-a-model).",
            "",
            "The defaults are the SQuAD-PosQ paper's for SQuAD; for FineWeb-edu it took --min-words 200 "
                    + "--max-words 500.",
            "",
            "Examples:",
            "  posbias diagnose segments --model all-minilm-l6-v2 --dataset squad-posq \\",
            "      --with-published --plots pictures",
            "  posbias diagnose segments --model all-minilm-l6-v2 --texts fineweb \\",
            "      --min-words 200 --max-words 500",
            "  posbias diagnose segments --model all-minilm-l6-v2 --dataset squad-posq \\",
            "      --segments 10 --with-published",
            "  posbias diagnose segments --model all-minilm-l6-v2 --dataset squad-posq \\",
            "      --layers --n 100 --plots pictures",
            "  posbias diagnose segments --model my.yaml --dataset mine,demo \\",
            "      --min-words 20 --lengths 50,100,200",
        })
final class DiagnoseSegmentsCommand extends StudyCommand implements Study.Command {
    /** Minimum for a text with three non-empty parts. */
    private static final int LEAST_WORDS = 2;

    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            description =
                    "Datasets: names, groups or patterns from 'posbias data list' or folders, separated by commas.")
    private List<String> datasets = List.of();

    @Option(
            names = "--texts",
            paramLabel = "PATH",
            description = "Documents without queries: files or folders. Files are of rows or texts. Repeatable.")
    private List<Path> texts = List.of();

    @Heading("Tuning:")
    @BelongsTo("--texts")
    @Option(
            names = "--text-field",
            paramLabel = "NAME",
            description = "Column of the texts (default: ${DEFAULT-VALUE}).")
    private String textField = "text";

    @Least(LEAST_WORDS)
    @Option(
            names = "--min-words",
            paramLabel = "N",
            description = "Minimum words, exclusive (default: ${DEFAULT-VALUE}).")
    private int minWords = SegmentSample.MIN_WORDS;

    @Heading("Tuning:")
    @Least(1)
    @Option(
            names = "--min-tokens",
            paramLabel = "N",
            description = "Minimum length of passages in tokens of the dataset (pos_token_length; default: all).")
    private @Nullable Integer minTokens;

    @Heading("Tuning:")
    @Option(
            names = "--max-words",
            paramLabel = "N",
            description = "Upper limit of passages in words (exclusive) (default: ${DEFAULT-VALUE}).")
    private int maxWords = SegmentSample.MAX_WORDS;

    @Heading("Tuning:")
    @Option(
            names = "--lengths",
            split = ",",
            paramLabel = "N,..",
            description = "Upper edges of length bands in words (default: quartiles of the sampled passages).")
    private List<Integer> lengths = List.of();

    @Least(2)
    @Option(names = "--segments", paramLabel = "N", description = "Number of equal segments (default: thirds).")
    private @Nullable Integer segments;

    @Option(
            names = "--layers",
            description = "Compare the pooled vector with fifths of the text after each layer, and in random networks.")
    private boolean layers;

    @Heading("Tuning:")
    @BelongsTo("--layers")
    @Least(1)
    @Option(
            names = "--controls",
            paramLabel = "N",
            description = "Number of networks with random weights (default: " + LayersDiagnosis.CONTROLS + ").")
    private @Nullable Integer controls;

    @Least(1)
    @Option(names = "--n", paramLabel = "N", description = "Number of sampled passages (default: ${DEFAULT-VALUE}).")
    private int n = SegmentSample.N;

    @Heading("Statistics:")
    @Least(0)
    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the shuffle and of random weights (default: ${DEFAULT-VALUE}).")
    private int seed = SegmentSample.SEED;

    @Mixin
    private SettingsOptions settings = new SettingsOptions("confidence");

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Option(
            names = "--with-published",
            description = "Add Table 4 of the SQuAD-PosQ paper. With --segments 10: Figure 7 of arXiv:2605.26578.")
    private boolean withPublished;

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private SparkOptions spark = new SparkOptions();

    @Override
    public Study study() {
        return SegmentsDiagnosis.study();
    }

    @Override
    public Map<String, Study> others() {
        return new TreeMap<>(Map.of("--layers", LayersDiagnosis.study(), "--segments", SegmentCurvesDiagnosis.study()));
    }

    @Override
    protected void work() {
        check();
        List<Recipe> recipes = modelOptions.recipes(models.names(), session());
        recipes.forEach(layers ? this::checkLayers : DiagnoseSegmentsCommand::encoder);
        refuse(datasets.isEmpty() && texts.isEmpty(), "give --dataset, --texts, or both");
        refuse(minTokens != null && !texts.isEmpty(), "--min-tokens is for datasets, and --texts has no queries");
        List<Datasets.Source> sources = new Datasets(session()).sources(datasets);
        FileNames.requireDistinct("--dataset", "dataset", sources.stream().map(Datasets.Source::name));
        List<SegmentTexts.DrawnSegments> drawn = Stream.concat(
                        sources.stream().map(this::draw), texts.stream().map(this::draw))
                .toList();
        if (layers) {
            runDiagnosis(
                    new LayersDiagnosis(
                            new LayersDiagnosis.LayerChoice(
                                    limits(),
                                    controls == null ? LayersDiagnosis.CONTROLS : controls,
                                    settings.settings().confidence()),
                            drawn),
                    recipes,
                    modelOptions.device().engine(threads.threads(), session()),
                    output,
                    plots);
            return;
        }
        String bands = lengths.isEmpty() ? "in quartiles of the lengths drawn" : "in bands by --lengths";
        SegmentTexts sampled = new SegmentTexts(
                new SegmentTexts.SegmentChoice(
                        limits(), bands, settings.settings().confidence()),
                drawn,
                (recipe, engine) -> encoder(recipe).open(engine));
        Diagnosis<?, ?> diagnosis = segments == null
                ? new SegmentsDiagnosis(sampled, withPublished)
                : new SegmentCurvesDiagnosis(sampled, segments, withPublished);
        spark.on(
                modelOptions.device().engine(threads.threads(), session()),
                engine -> runDiagnosis(diagnosis, recipes, engine, output, plots));
    }

    private void check() {
        refuse(
                maxWords < minWords + 2,
                "no text has more than --min-words " + minWords + " and fewer than --max-words " + maxWords);
        refuse(layers && segments != null, "--layers compares with fifths of the text: leave out --segments");
        if (segments != null) {
            refuse(
                    segments > minWords,
                    "--segments " + segments + " needs texts of as many characters: --min-words must be at least "
                            + segments);
            refuse(
                    withPublished && segments != SegmentCurvesDiagnosis.PUBLISHED_SEGMENTS,
                    "no paper has the cosines of " + segments + " equal segments: leave out --with-published, or give"
                            + " --segments " + SegmentCurvesDiagnosis.PUBLISHED_SEGMENTS);
        }
        refuse(layers && !lengths.isEmpty(), "--layers has no bands: leave out --lengths");
        refuse(layers && withPublished, "Table 4 of the SQuAD-PosQ paper has no layers: leave out --with-published");
        refuse(layers && spark.areGiven(), "--layers runs in this process: leave out --engine spark");
        int before = minWords;
        for (int edge : lengths) {
            refuse(
                    edge <= before || edge >= maxWords - 1,
                    "--lengths must ascend, from " + (minWords + 1) + " to " + (maxWords - 2) + " words, not "
                            + lengths);
            before = edge;
        }
    }

    private SegmentSample.SegmentLimits limits() {
        return new SegmentSample.SegmentLimits(minWords, maxWords, minTokens, seed);
    }

    /** Refuses models without readable layers before anything is loaded. */
    private void checkLayers(Recipe recipe) {
        InsideModel.unfit(recipe).ifPresent(why -> {
            throw new UsageException("--layers: " + recipe.name() + " " + why);
        });
        InsideModel.check(recipe, session());
    }

    private static Model.Encoder encoder(Recipe recipe) {
        return recipe.oneVector()
                .orElseThrow(() -> new UsageException("--model " + recipe.name() + " is of kind " + recipe.kind()
                        + ", which gives a text no single vector to compare by cosine"));
    }

    private SegmentTexts.DrawnSegments draw(Path path) {
        PlainDocuments documents = PlainDocuments.of(List.of(path), textField, "--texts");
        documents.unreadNote().ifPresent(this::say);
        Map<String, String> digests = new LinkedHashMap<>();
        documents.files().forEach((name, file) -> digests.put(name, Checksums.sha256(file)));
        Passages passages = session().step("load " + path, documents::passages);
        return draw(String.valueOf(path.getFileName()), passages, ordinal -> true, digests);
    }

    private SegmentTexts.DrawnSegments draw(Datasets.Source source) {
        Dataset dataset = DatasetNames.load(source, session());
        IntPredicate fits = minTokens == null ? ordinal -> true : TokenLengths.atLeast(minTokens, dataset);
        return draw(source.name(), dataset.passages(), fits, dataset.checksums());
    }

    private SegmentTexts.DrawnSegments draw(
            String name, Passages passages, IntPredicate fits, Map<String, String> checksums) {
        SegmentSample.SegmentLimits limits = limits();
        SegmentSample sample = SegmentSample.draw(passages, limits, fits, n);
        if (sample.texts().isEmpty()) {
            throw new PosbiasException(name + ": none of " + Plural.of(sample.passages(), "passage") + " has "
                    + limits.words() + " words" + limits.tokens()
                    + "; see --min-words and --max-words");
        }
        say(name + ": " + sample.texts().size() + " drawn of " + Plural.of(sample.fit(), "different text")
                + " of " + limits.words() + " words" + limits.tokens() + ", among "
                + Plural.of(sample.passages(), "passage"));
        SegmentSample.SegmentBands bands = lengths.isEmpty()
                ? sample.quartiles()
                : new SegmentSample.SegmentBands(minWords + 1, maxWords - 1, lengths);
        return new SegmentTexts.DrawnSegments(name, checksums, sample, bands);
    }
}

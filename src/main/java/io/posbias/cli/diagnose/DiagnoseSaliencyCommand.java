package io.posbias.cli.diagnose;

import io.posbias.base.files.Staging;
import io.posbias.base.plot.Pictures;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Interval;
import io.posbias.base.text.Printable;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.DatasetNames;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.OutputOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.ProbeOptions;
import io.posbias.cli.common.SettingsOptions;
import io.posbias.cli.common.ThreadsOption;
import io.posbias.cli.diagnose.DiagnoseOptions.SampleOptions;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import io.posbias.model.inside.BiasShares;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.DiagnosisRunner;
import io.posbias.run.placing.Documents;
import io.posbias.score.result.ModelFolders;
import io.posbias.score.result.Study;
import io.posbias.study.diagnose.SaliencyDiagnosis;
import io.posbias.study.diagnose.SaliencyDiagnosis.SaliencyFound;
import io.posbias.study.diagnose.SaliencyPage;
import io.posbias.study.diagnose.SaliencyPairs;
import io.posbias.study.diagnose.SaliencySettings;
import io.posbias.study.diagnose.SaliencySettings.SaliencyMethod;
import io.posbias.study.diagnose.SaliencySettings.SaliencyScale;
import io.posbias.study.diagnose.SaliencyTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "saliency",
        description = "Measure the contribution of each part of a document to its score.",
        optionListHeading = "Tuning:",
        footer = {
            "",
            "Examples:",
            "  posbias diagnose saliency --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose saliency --model all-minilm-l6-v2 --dataset demo \\",
            "      --method contribution --html texts.html --plots pictures",
            "  posbias diagnose saliency --model bm25,all-minilm-l6-v2 --dataset demo \\",
            "      --method occlusion,gradient --plots pictures",
            "  posbias diagnose saliency --model all-minilm-l6-v2 --data redocred \\",
            "      --probe foil --method decompx --plots pictures",
            "  posbias diagnose saliency --model my.yaml --dataset posir/eng-Latn \\",
            "      --evidence-between 0.4,0.6 --min-tokens 1024 --window 50 --n 300",
        })
class DiagnoseSaliencyCommand extends BaseCommand implements Study.Command {
    private static final int EXAMPLES = 20;

    /** Examples with DecompX, each with a picture and a map on the page. */
    private static final int MAPS = 5;

    private static final int WINDOW = 10;

    /** Minimum number of windows of a document. */
    private static final int LEAST_WINDOWS = 3;

    private static final Pattern SHARES = Pattern.compile("(\\d+|\\d*\\.\\d+),(\\d+|\\d*\\.\\d+)");

    @Mixin
    private ModelNames models = new ModelNames();

    @Heading("Options:")
    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            description = "Datasets, pooled: names or patterns from 'posbias data list' or folders, separated by "
                    + "commas. All must be in one language. Or take probes, with --data or --pairs.")
    private List<String> datasets = List.of();

    @Mixin
    private SampleOptions sample = new SampleOptions();

    @Mixin
    private ProbeOptions probes = new ProbeOptions();

    @Option(
            names = "--query",
            split = ",",
            paramLabel = "ID,..",
            description = "Queries, or items of probes; --html and --plots show all of them.")
    private List<String> queries = List.of();

    @Heading("Options:")
    @Option(
            names = "--method",
            split = ",",
            paramLabel = "METHOD,..",
            description =
                    "How saliency is found: ${COMPLETION-CANDIDATES}, or several of these. Default: occlusion; of "
                            + "tokens: decompx. occlusion: the score minus the score without the "
                            + "words; any model. contribution: what each token adds to the score; late interaction and mean-pooled vectors. "
                            + "decompx: the score split over pairs of a query's and a document's token; BERT and RoBERTa. "
                            + "gradient: the norm of the score's gradient for each token; dense models. Both need Python, "
                            + "and of an ONNX file a 'transformer' in its recipe.")
    private Set<SaliencyMethod> methods;

    @Least(1)
    @BelongsTo("--method occlusion")
    @Option(
            names = "--window",
            paramLabel = "W",
            description = "Words left out at a time, with occlusion (default: " + WINDOW + ").")
    private @Nullable Integer window;

    @BelongsTo("--method occlusion")
    @Option(
            names = "--stride",
            paramLabel = "S",
            description = "Words from one window to the next, 1 to W, with occlusion (default: W).")
    private @Nullable Integer stride;

    @Option(
            names = "--min-words",
            paramLabel = "N",
            description =
                    "Leave out documents of fewer words (default: " + LEAST_WINDOWS + " W; 1 with decompx alone).")
    private @Nullable Integer minWords;

    @Least(1)
    @BelongsTo("--dataset")
    @Option(
            names = "--min-tokens",
            paramLabel = "N",
            description = "Minimum length of documents in tokens of the dataset (pos_token_length); PosIR uses 1024 "
                    + "(default: all).")
    private @Nullable Integer minTokens;

    @BelongsTo("--dataset")
    @Option(
            names = "--evidence-between",
            paramLabel = "LOW,HIGH",
            description = "Range of the middle of the evidence, as shares of the text; PosIR uses 0.4,0.6 (default: "
                    + "all).")
    private String between = "";

    @Option(
            names = "--scale",
            paramLabel = "SCALE",
            description = "Scale of each document's curve: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). p99: "
                    + "the 99th percentile of its absolute values, clipped to -1 and 1, as in PosIR's script; "
                    + "maximum: as in PosIR's text; none: unscaled.")
    private SaliencyScale scale = SaliencyScale.P99;

    @Option(
            names = "--with-published",
            description = "Add the curves of PosIR's Figure 5, with --method gradient and --scale p99.")
    private boolean withPublished;

    @BelongsTo("--method decompx")
    @Option(
            names = "--biases",
            paramLabel = "HOW",
            description = "Distribution of biases over tokens, with decompx: ${COMPLETION-CANDIDATES} (default: "
                    + "absdot). absdot: by the absolute inner product with the bias, as in the papers; equal: "
                    + "equally.")
    private @Nullable BiasShares biases;

    @Mixin
    private SettingsOptions settings = new SettingsOptions("confidence", "cluster");

    @Mixin
    private ThreadsOption threads = new ThreadsOption();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Heading("Options:")
    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "HTML page of coloured documents, with maps of words for decompx.")
    private @Nullable Path html;

    @Least(1)
    @Option(
            names = "--examples",
            paramLabel = "N",
            description = "Queries on the page and, with decompx, among the pictures, evenly spaced among all "
                    + "(default: " + EXAMPLES + ", with decompx " + MAPS + "; all that --query names).")
    private @Nullable Integer examples;

    DiagnoseSaliencyCommand() {
        this(SaliencyMethod.OCCLUSION);
    }

    DiagnoseSaliencyCommand(SaliencyMethod usual) {
        methods = Set.of(usual);
    }

    @Override
    public Study study() {
        return SaliencyDiagnosis.study();
    }

    @Override
    protected void work() {
        Map<SaliencyMethod, List<Recipe>> taken = checked();
        SaliencyPairs.SaliencyChoice choice =
                new SaliencyPairs.SaliencyChoice(queries, minWords(), minTokens, between());
        SaliencyPairs pairs = pairs(choice);
        SaliencyTables found = new SaliencyTables(
                pairs, settings.settings().confidence(), examples(pairs.items().size()));
        Engine engine = modelOptions.device().engine(threads.threads(), session());
        List<Object> documents = new ArrayList<>();
        taken.forEach((method, recipes) -> {
            SaliencyDiagnosis diagnosis = new SaliencyDiagnosis(
                    pairs,
                    SaliencySettings.of(method, window(), stride(), biases(), choice, scale),
                    found.base(),
                    settings.settings().confidence());
            ModelFolders folders = taken.size() > 1 ? output.folders().within(method.toString()) : output.folders();
            DiagnosisRunner.Findings<SaliencyFound> own = new DiagnosisRunner(engine, folders).run(diagnosis, recipes);
            found.with(own.byModel());
            documents.addAll(own.documents());
        });
        if (withPublished) {
            found.withPublished();
        }
        print(output.text(() -> documents, found::tables, found::raw, session()));
        plots.draw(session(), () -> Pictures.named(found.figures()));
        if (html != null) {
            Staging.writeFile(html, SaliencyPage.render(found));
            say("page in " + html);
        }
    }

    private SaliencyPairs pairs(SaliencyPairs.SaliencyChoice choice) {
        if (datasets.isEmpty()) {
            return SaliencyPairs.of(probes.read(this, settings.settings().unit()), choice);
        }
        Documents documents = Documents.of(
                DatasetNames.open(this, datasets, new Datasets(session())).pooled(),
                sample.n(),
                sample.seed(),
                settings.settings().cluster());
        return SaliencyPairs.of(documents, choice, session());
    }

    private Map<SaliencyMethod, List<Recipe>> checked() {
        check();
        if (html != null) {
            Staging.checkFile(html);
        }
        refuse(
                examples != null && html == null && !(decomposes() && plots.areGiven()),
                "--examples belongs to " + (decomposes() ? "--html or --plots" : "--html"));
        List<Recipe> recipes = modelOptions.recipes(models.names(), session());
        Map<SaliencyMethod, List<Recipe>> byMethod = new LinkedHashMap<>();
        for (SaliencyMethod method : methods) {
            List<Recipe> taken = methods.size() == 1 ? recipes : taken(method, recipes);
            taken.forEach(recipe -> method.check(recipe, session()));
            byMethod.put(method, taken);
        }
        return byMethod;
    }

    /** The models that a method supports; the others are reported. */
    private List<Recipe> taken(SaliencyMethod method, List<Recipe> recipes) {
        List<Recipe> taken = new ArrayList<>();
        for (Recipe recipe : recipes) {
            Optional<String> unfit = method.unfit(recipe);
            unfit.ifPresent(why -> say("without " + method + ": " + recipe.name() + " " + why));
            if (unfit.isEmpty()) {
                taken.add(recipe);
            }
        }
        refuse(taken.isEmpty(), "--method " + method + " supports none of the models");
        return taken;
    }

    private List<Integer> examples(int items) {
        int usual = !queries.isEmpty() ? items : decomposes() ? MAPS : EXAMPLES;
        return DiagnoseOptions.evenly(examples == null ? usual : examples, items);
    }

    private void check() {
        boolean hasDataset = !datasets.isEmpty();
        refuse(
                hasDataset == probes.areGiven(),
                "give either --dataset, or probes with --data or --pairs" + (hasDataset ? ", not both" : ""));
        refuse(sample.n() != null && !queries.isEmpty(), "--n draws queries, --query names them: give one of them");
        refuse(
                methods.size() > 1 && scale == SaliencyScale.NONE,
                "--scale none needs a single --method: their units differ");
        refuse(
                withPublished && !(methods.equals(Set.of(SaliencyMethod.GRADIENT)) && scale == SaliencyScale.P99),
                "--with-published is PosIR's Figure 5, of gradients: give --method gradient and --scale p99");
        refuse(
                stride() < 1 || stride() > window(),
                "--stride must be from 1 to the window's " + window() + " words, not " + stride());
        int least = occludes() ? window() + 1 : 1;
        refuse(
                minWords() < least,
                "--min-words must be at least " + least + ", not " + minWords()
                        + (least > 1 ? ": some words must remain outside the window" : ""));
        between();
    }

    private boolean decomposes() {
        return methods.contains(SaliencyMethod.DECOMPX);
    }

    private BiasShares biases() {
        return biases == null ? BiasShares.ABSDOT : biases;
    }

    private boolean occludes() {
        return methods.contains(SaliencyMethod.OCCLUSION);
    }

    private int window() {
        return window == null ? WINDOW : window;
    }

    private int stride() {
        return stride == null ? window() : stride;
    }

    private int minWords() {
        int usual = methods.equals(Set.of(SaliencyMethod.DECOMPX)) ? 1 : LEAST_WINDOWS * window();
        return minWords == null ? usual : minWords;
    }

    /** Bounds of the evidence's position; null for any. */
    private @Nullable Interval between() {
        if (between.isEmpty()) {
            return null;
        }
        Matcher shares = SHARES.matcher(between);
        if (shares.matches()) {
            double low = Double.parseDouble(shares.group(1));
            double high = Double.parseDouble(shares.group(2));
            if (low <= high && high <= 1) {
                return new Interval(low, high);
            }
        }
        throw new UsageException(
                "--evidence-between needs two ascending shares, for example 0.4,0.6, not " + Printable.quoted(between));
    }
}

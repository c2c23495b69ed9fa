package io.posbias.cli.diagnose;

import io.posbias.Printable;
import io.posbias.Staging;
import io.posbias.UsageException;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.Verb;
import io.posbias.diagnose.SaliencyDiagnosis;
import io.posbias.diagnose.SaliencyMap;
import io.posbias.diagnose.SaliencyMethod;
import io.posbias.diagnose.SaliencyPairs;
import io.posbias.diagnose.SaliencyScale;
import io.posbias.diagnose.SaliencyTables;
import io.posbias.evaluate.DiagnosisRunner;
import io.posbias.report.page.SaliencyPage;
import io.posbias.retrieve.Recipe;
import io.posbias.stats.Interval;
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
        description = "Measure what each part of a document adds to its score.",
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  posbias diagnose saliency --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose saliency --model all-minilm-l6-v2 --dataset demo \\",
            "      --method contribution --html texts.html --plots pictures",
            "  posbias diagnose saliency --model bm25,all-minilm-l6-v2 --dataset demo \\",
            "      --method occlusion,gradient --plots pictures",
            "  posbias diagnose saliency --model my.yaml --dataset posir/eng-Latn \\",
            "      --evidence-between 0.4,0.6 --min-tokens 1024 --window 50 --n 300",
        })
final class DiagnoseSaliencyCommand extends Verb {
    private static final int EXAMPLES = 20;

    /** Words of a window unless told otherwise. */
    private static final int WINDOW = 10;

    /** The fewest windows in which a document has a beginning, a middle and an end. */
    private static final int LEAST_WINDOWS = 3;

    private static final Pattern SHARES = Pattern.compile("(\\d+|\\d*\\.\\d+),(\\d+|\\d*\\.\\d+)");

    @Option(
            names = "--method",
            split = ",",
            paramLabel = "METHOD,..",
            hideParamSyntax = true,
            description = "How saliency is found: ${COMPLETION-CANDIDATES}, or several of these, separated by commas "
                    + "(default: occlusion). occlusion: the score minus the score without the words; any model. "
                    + "contribution: what each token adds to the score; late interaction and mean-pooled vectors. "
                    + "gradient: the norm of the score's gradient for each token; dense models with a 'transformer' "
                    + "in their recipe.")
    private Set<SaliencyMethod> methods = Set.of(SaliencyMethod.OCCLUSION);

    @Heading("Tuning:")
    @Least(1)
    @Option(
            names = "--window",
            paramLabel = "W",
            description = "Words left out at a time, with occlusion (default: " + WINDOW + ").")
    private @Nullable Integer window;

    @Heading("Tuning:")
    @Option(
            names = "--stride",
            paramLabel = "S",
            description = "Words from one window to the next, 1 to W, with occlusion (default: W).")
    private @Nullable Integer stride;

    @Heading("Tuning:")
    @Option(
            names = "--min-words",
            paramLabel = "N",
            description = "Leave out documents of fewer words (default: " + LEAST_WINDOWS + " W).")
    private @Nullable Integer minWords;

    @Heading("Tuning:")
    @Least(1)
    @Option(
            names = "--min-tokens",
            paramLabel = "N",
            description = "Leave out documents of fewer tokens, as the dataset counts them (pos_token_length); PosIR "
                    + "takes 1024 (default: all).")
    private @Nullable Integer minTokens;

    @Heading("Tuning:")
    @Option(
            names = "--evidence-between",
            paramLabel = "LOW,HIGH",
            description = "Only documents with the middle of their evidence there, as shares of the text; PosIR takes "
                    + "0.4,0.6 (default: all).")
    private String between = "";

    @Heading("Tuning:")
    @Option(
            names = "--scale",
            paramLabel = "SCALE",
            description = "What the curve of each document is divided by: ${COMPLETION-CANDIDATES} (default: "
                    + "${DEFAULT-VALUE}). p99: the 99th percentile of its absolute values, clipped to -1 and 1, "
                    + "as in PosIR's script; maximum: their maximum, as in PosIR's text; none: nothing.")
    private SaliencyScale scale = SaliencyScale.P99;

    @Mixin
    private DiagnoseOptions options = new DiagnoseOptions();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also write a page that shows documents coloured by saliency.")
    private @Nullable Path html;

    @Heading("Tuning:")
    @Least(1)
    @BelongsTo("--html")
    @Option(
            names = "--examples",
            paramLabel = "N",
            description = "Documents on the page, evenly spaced among all (default: " + EXAMPLES + ").")
    private @Nullable Integer examples;

    @Override
    protected void work() {
        Map<SaliencyMethod, List<Recipe>> models = checked();
        SaliencyPairs pairs = SaliencyPairs.of(
                options.documents(this), new SaliencyPairs.Choice(minWords(), minTokens, between()), session());
        SaliencyTables found = new SaliencyTables(pairs, options.confidence());
        List<Object> documents = new ArrayList<>();
        models.forEach((method, recipes) -> {
            SaliencyDiagnosis diagnosis =
                    new SaliencyDiagnosis(pairs, settings(method), found.base(), options.confidence());
            DiagnosisRunner.Findings<SaliencyDiagnosis.Found> own =
                    options.find(this, diagnosis, recipes, models.size() > 1 ? method.toString() : "");
            found.with(own.byModel());
            documents.addAll(own.documents());
        });
        options.show(this, new Shown(() -> documents, found::tables, found::raw, found::figures));
        if (html != null) {
            Staging.writeFile(html, SaliencyPage.render(found, examples(found.maps(), pairs.size())));
            say("page in " + html);
        }
    }

    private Map<SaliencyMethod, List<Recipe>> checked() {
        check();
        List<Recipe> recipes = options.checked();
        Map<SaliencyMethod, List<Recipe>> models = new LinkedHashMap<>();
        for (SaliencyMethod method : methods) {
            List<Recipe> taken = methods.size() == 1 ? recipes : taken(method, recipes);
            taken.forEach(method::check);
            models.put(method, taken);
        }
        return models;
    }

    /** The models that one of several methods takes; the others are looked at with those that take them. */
    private List<Recipe> taken(SaliencyMethod method, List<Recipe> recipes) {
        List<Recipe> taken = new ArrayList<>();
        for (Recipe recipe : recipes) {
            Optional<String> unfit = method.unfit(recipe);
            unfit.ifPresent(why -> say("without " + method + ": " + recipe.name() + " " + why));
            if (unfit.isEmpty()) {
                taken.add(recipe);
            }
        }
        refuse(taken.isEmpty(), "--method " + method + " takes none of the models");
        return taken;
    }

    private List<SaliencyPage.Example> examples(Map<String, List<SaliencyMap>> maps, int pairs) {
        return DiagnoseOptions.evenly(examples == null ? EXAMPLES : examples, pairs).stream()
                .map(place -> {
                    Map<String, SaliencyMap> byName = new LinkedHashMap<>();
                    maps.forEach((name, all) -> byName.put(name, all.get(place)));
                    return new SaliencyPage.Example(byName);
                })
                .toList();
    }

    private void check() {
        belongs(!occludes() && window != null, "--window", "--method occlusion");
        belongs(!occludes() && stride != null, "--stride", "--method occlusion");
        refuse(
                methods.size() > 1 && scale == SaliencyScale.NONE,
                "--scale none needs a single --method: each has a unit of its own");
        refuse(
                stride() < 1 || stride() > window(),
                "--stride must be from 1 to the window's " + window() + " words, not " + stride());
        int least = occludes() ? window() + 1 : 1;
        refuse(
                minWords() < least,
                "--min-words must be at least " + least + ", not " + minWords()
                        + (least > 1 ? ": without a window something must be left" : ""));
        between();
    }

    private boolean occludes() {
        return methods.contains(SaliencyMethod.OCCLUSION);
    }

    private SaliencyDiagnosis.Settings settings(SaliencyMethod method) {
        return SaliencyDiagnosis.Settings.of(method, window(), stride(), minWords(), minTokens, scale);
    }

    private int window() {
        return window == null ? WINDOW : window;
    }

    private int stride() {
        return stride == null ? window() : stride;
    }

    private int minWords() {
        return minWords == null ? LEAST_WINDOWS * window() : minWords;
    }

    /** The least and greatest place of the evidence; null for any, known or not. */
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
                "--evidence-between takes two shares in order, such as 0.4,0.6, not " + Printable.quoted(between));
    }
}

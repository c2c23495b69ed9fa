package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.PosbiasException;
import io.posbias.Staging;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import io.posbias.probe.SaliencyMap;
import io.posbias.probe.SaliencyProfile;
import io.posbias.probe.Words;
import io.posbias.report.SaliencyTables;
import io.posbias.report.Table;
import io.posbias.report.page.SaliencyPage;
import io.posbias.report.plot.DiagnosePlots;
import io.posbias.retrieve.Recipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias diagnose saliency}: what each part of a document matters to its score. */
@Command(
        name = "saliency",
        description = {
            "Ask what each part of a document matters to the score of query and document, and",
            "where in documents that is."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  posbias diagnose saliency --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose saliency --model all-minilm-l6-v2 --dataset demo \\",
            "      --method contribution --html texts.html --plots pictures",
            "  posbias diagnose saliency --model my.yaml --dataset posir/eng-Latn \\",
            "      --evidence-between 0.4,0.6 --min-words 800 --window 50 --n 300",
        })
final class DiagnoseSaliencyCommand implements Callable<Integer> {
    private static final int EXAMPLES = 20;

    @Mixin
    private SaliencyOptions how = new SaliencyOptions();

    @Mixin
    private DiagnoseOptions options = new DiagnoseOptions();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also write a page that shows documents coloured by saliency.")
    private @Nullable Path html;

    @Option(
            names = "--examples",
            paramLabel = "N",
            description = "Documents on the page, evenly spaced among all (default: " + EXAMPLES + ").")
    private @Nullable Integer examples;

    @Override
    public Integer call() {
        List<Recipe> recipes = checked();
        Dataset dataset = options.open();
        List<SaliencySource.Fit> fits = fits(dataset);
        SaliencySource source = how.method() == SaliencyMethod.OCCLUSION
                ? new SaliencySource.ByOcclusion(dataset, fits, how.window(), how.stride())
                : new SaliencySource.ByContribution(fits);
        SaliencyTables.Setup setup = setup();
        Found found = new Found(setup, options.confidence());
        options.look(recipes, dataset, source.work(), source::maps, (recipe, maps) -> found.add(recipe.name(), maps));
        List<Table> tables = found.tables();
        options.print(tables, SaliencyTables.tidy(found.profiles));
        options.draw(folder ->
                DiagnosePlots.saliency(dataset.name(), setup.describe(), found.profiles, how.scaling(), folder));
        if (html != null) {
            List<SaliencyPage.Example> chosen = found.examples(examples == null ? EXAMPLES : examples);
            String page = SaliencyPage.render(dataset.name(), setup, tables, chosen, fits.size());
            Staging.writeFile(html, page.getBytes(StandardCharsets.UTF_8));
            options.say("page in " + html);
        }
        return ExitCode.OK;
    }

    /** What was found of the models so far. */
    private static final class Found {
        private final Map<String, List<SaliencyMap>> maps = new LinkedHashMap<>();
        private final Map<String, SaliencyProfile> profiles = new LinkedHashMap<>();
        private final Map<String, SaliencyProfile.Contrast> contrasts = new LinkedHashMap<>();
        private final SaliencyTables.Setup setup;
        private final double confidence;

        Found(SaliencyTables.Setup setup, double confidence) {
            this.setup = setup;
            this.confidence = confidence;
        }

        DiagnoseOptions.Files add(String model, List<SaliencyMap> own) {
            SaliencyProfile profile = SaliencyProfile.of(own, setup.scaling(), confidence);
            maps.put(model, own);
            profiles.put(model, profile);
            if (!base().equals(model)) {
                contrasts.put(
                        model, SaliencyProfile.contrast(own, Objects.requireNonNull(maps.get(base())), confidence));
            }
            return new DiagnoseOptions.Files(
                    () -> SaliencyTables.fields(setup, profile, base(), contrasts.get(model)),
                    () -> SaliencyTables.csv(own));
        }

        private String base() {
            return maps.keySet().iterator().next();
        }

        List<Table> tables() {
            List<Table> tables = new ArrayList<>();
            tables.add(SaliencyTables.thirds(setup, profiles, confidence));
            tables.addAll(SaliencyTables.contrasts(base(), contrasts, confidence));
            tables.addAll(SaliencyTables.evidence(profiles, confidence));
            tables.add(SaliencyTables.curve(setup, profiles));
            return tables;
        }

        /** Some pairs, evenly spaced among all. */
        List<SaliencyPage.Example> examples(int most) {
            int pairs = maps.values().iterator().next().size();
            int shown = Math.min(pairs, most);
            List<SaliencyPage.Example> chosen = new ArrayList<>();
            for (int i = 0; i < shown; i++) {
                int place = (int) ((long) i * pairs / shown);
                Map<String, SaliencyMap> byModel = new LinkedHashMap<>();
                maps.forEach((model, all) -> byModel.put(model, all.get(place)));
                chosen.add(new SaliencyPage.Example(byModel));
            }
            return chosen;
        }
    }

    private List<Recipe> checked() {
        how.check();
        if (examples != null && html == null) {
            throw new UsageException("--examples belongs to --html");
        }
        if (examples != null && examples < 1) {
            throw new UsageException("--examples must be at least 1, not " + examples);
        }
        List<Recipe> recipes = options.checked();
        if (how.method() == SaliencyMethod.CONTRIBUTION) {
            SaliencySource.ByContribution.check(recipes);
        }
        return recipes;
    }

    private SaliencyTables.Setup setup() {
        boolean windows = how.method() == SaliencyMethod.OCCLUSION;
        return new SaliencyTables.Setup(
                how.method().toString(),
                windows ? "word" : "token",
                windows ? how.window() : 0,
                windows ? how.stride() : 0,
                how.minWords(),
                how.scaling());
    }

    private List<SaliencySource.Fit> fits(Dataset dataset) {
        Documents documents = new Documents(dataset);
        List<Query> queries = how.between().isEmpty()
                ? documents.answered()
                : documents.evident().stream().filter(this::isBetween).toList();
        if (queries.isEmpty()) {
            throw new PosbiasException(dataset.name()
                    + (how.between().isEmpty()
                            ? " has no query with a relevant passage"
                            : " has no query whose evidence has its middle in that part of its one relevant passage")
                    + "; there is nothing to look at");
        }
        List<Documents.Document> read = options.documents(documents, queries);
        Map<String, List<Span>> words = new HashMap<>();
        String language = dataset.card().language();
        List<SaliencySource.Fit> fits = read.stream()
                .map(document -> new SaliencySource.Fit(
                        document,
                        words.computeIfAbsent(document.sentences().text(), text -> Words.cut(text, language))))
                .filter(fit -> fit.words().size() >= how.minWords())
                .toList();
        String leftOut = "fewer than " + how.minWords() + " words";
        if (fits.isEmpty()) {
            throw new PosbiasException(dataset.name() + ": all " + read.size() + " documents have " + leftOut
                    + "; --min-words sets how many they need");
        }
        options.say(dataset.name() + ": " + fits.size() + " pairs of query and document; " + (read.size() - fits.size())
                + " left out with " + leftOut);
        return fits;
    }

    private boolean isBetween(Query query) {
        Evidence evidence = query.evidence();
        return evidence != null
                && evidence.isPlaced()
                && how.between().orElseThrow().holds(evidence.relativePosition());
    }
}

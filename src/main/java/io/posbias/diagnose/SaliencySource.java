package io.posbias.diagnose;

import io.posbias.Parallel;
import io.posbias.Plural;
import io.posbias.Progress;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Span;
import io.posbias.encode.Engine;
import io.posbias.evaluate.TextScorer;
import io.posbias.inside.GradientSaliency;
import io.posbias.inside.WhiteBoxEngine;
import io.posbias.retrieve.Attribution;
import io.posbias.retrieve.Attributor;
import io.posbias.retrieve.Recipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What finds the saliency of documents; each method is one of these. */
public sealed interface SaliencySource {
    /** Looks at every document with a model, in their order. */
    List<SaliencyMap> maps(Recipe recipe, Engine engine);

    /** What was done, for stderr. */
    String work();

    /**
     * A document that is long enough.
     *
     * @param words where its words are, in UTF-16 units
     */
    record Fit(Documents.Document document, List<Span> words) {
        String text() {
            return document.sentences().text();
        }

        String query() {
            return document.query().text();
        }
    }

    /** Scores documents without each window of words. */
    final class ByOcclusion implements SaliencySource {
        private final List<Fit> fits;
        private final Map<String, Occlusion> occlusions = new HashMap<>();
        private final TextScorer scorer;
        private final int items;

        public ByOcclusion(Dataset dataset, List<Fit> fits, int window, int stride) {
            this.fits = fits;
            List<TextScorer.TitledPair> all = new ArrayList<>();
            // Queries of one passage share its texts: without that they would be in memory once for each.
            Map<String, List<String>> texts = new HashMap<>();
            for (Fit fit : fits) {
                Occlusion occlusion = occlusions.computeIfAbsent(
                        fit.text(), text -> new Occlusion(text, fit.words(), window, stride));
                texts.computeIfAbsent(fit.text(), key -> occlusion.texts())
                        .forEach(text -> all.add(new TextScorer.TitledPair(fit.query(), text)));
            }
            this.items = all.size();
            this.scorer = new TextScorer(
                    all, dataset.card().language(), dataset.card().queryLanguage());
        }

        @Override
        public List<SaliencyMap> maps(Recipe recipe, Engine engine) {
            double[] scores = scorer.score(recipe, engine);
            List<SaliencyMap> maps = new ArrayList<>();
            int from = 0;
            for (Fit fit : fits) {
                Documents.Document document = fit.document();
                Occlusion occlusion = Objects.requireNonNull(occlusions.get(fit.text()));
                int to = from + 1 + occlusion.windows();
                maps.add(occlusion.map(
                        document.query().id(),
                        document.query().text(),
                        document.evidence(),
                        Arrays.copyOfRange(scores, from, to)));
                from = to;
            }
            return maps;
        }

        @Override
        public String work() {
            return items + " items";
        }
    }

    /** What a model that looks at tokens says of the documents of one text, in their order. */
    @FunctionalInterface
    interface TextWork {
        List<SaliencyMap> of(String text, List<Documents.Document> documents);
    }

    /**
     * Looks at each text once, whatever the number of its queries.
     *
     * @param doing what is done, for people who wait
     * @return one for each fit, in their order
     */
    private static List<SaliencyMap> byText(List<Fit> fits, String doing, Engine engine, TextWork work) {
        List<List<Integer>> texts = List.copyOf(IntStream.range(0, fits.size())
                .boxed()
                .collect(Collectors.groupingBy(i -> fits.get(i).text(), LinkedHashMap::new, Collectors.toList()))
                .values());
        SaliencyMap[] maps = new SaliencyMap[fits.size()];
        int threads = engine.device().isCuda() ? 1 : engine.threads();
        try (Progress.Step step = engine.progress().start(doing, texts.size())) {
            Parallel.forChunks(threads, texts.size(), 1, () -> (from, to) -> {
                for (List<Integer> places : texts.subList(from, to)) {
                    List<SaliencyMap> own = work.of(
                            fits.get(places.getFirst()).text(),
                            places.stream()
                                    .map(place -> fits.get(place).document())
                                    .toList());
                    for (int i = 0; i < own.size(); i++) {
                        maps[places.get(i)] = own.get(i);
                    }
                    step.advance(1);
                }
            });
        }
        return Arrays.stream(maps).map(Objects::requireNonNull).toList();
    }

    private static List<String> queries(List<Documents.Document> documents) {
        return documents.stream().map(document -> document.query().text()).toList();
    }

    /**
     * What each token of a text matters.
     *
     * @param starts where each token begins, in UTF-16 units
     * @param rest what special tokens add; null where parts do not add up to the score
     */
    private static SaliencyMap ofTokens(
            Documents.Document document,
            int[] starts,
            int[] ends,
            double[] values,
            double score,
            @Nullable Double rest,
            boolean cut) {
        List<Span> units = new ArrayList<>();
        List<SaliencyMap.Part> parts = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            units.add(new Span(starts[i], ends[i]));
            parts.add(new SaliencyMap.Part(i, i + 1, values[i]));
        }
        return new SaliencyMap(
                document.query().id(),
                document.query().text(),
                document.sentences().text(),
                document.evidence(),
                score,
                rest,
                units,
                parts,
                cut);
    }

    /** Splits scores into what each token adds. */
    record ByContribution(List<Fit> fits) implements SaliencySource {
        @Override
        public List<SaliencyMap> maps(Recipe recipe, Engine engine) {
            if (!(Attribution.of(recipe) instanceof Attribution.Exact exact)) {
                throw new IllegalStateException(recipe.name() + " was not checked");
            }
            try (Attributor attributor = exact.open(engine)) {
                return byText(fits, "split scores of " + recipe.name(), engine, (text, documents) -> {
                    Iterator<Documents.Document> own = documents.iterator();
                    return attributor.of(text, queries(documents)).stream()
                            .map(all -> ofTokens(
                                    own.next(), all.starts(), all.ends(), all.values(), all.score(), all.rest(), false))
                            .toList();
                });
            }
        }

        @Override
        public String work() {
            return Plural.of(fits.size(), "pair");
        }
    }

    /** Takes the norm of each token's gradient. */
    record ByGradient(List<Fit> fits) implements SaliencySource {
        @Override
        public List<SaliencyMap> maps(Recipe recipe, Engine engine) {
            try (GradientSaliency gradients = WhiteBoxEngine.find().gradients(recipe, engine)) {
                if (!gradients.isCosine()) {
                    engine.say(recipe.name()
                            + ": gradients of the inner product, which its recipe compares with, not of" + " a cosine");
                }
                return byText(fits, "gradients of " + recipe.name(), engine, (text, documents) -> {
                    Iterator<Documents.Document> own = documents.iterator();
                    return gradients.of(text, queries(documents)).stream()
                            .map(all -> ofTokens(
                                    own.next(), all.starts(), all.ends(), all.norms(), all.score(), null, all.cut()))
                            .toList();
                });
            }
        }

        @Override
        public String work() {
            return Plural.of(fits.size(), "pair");
        }
    }
}

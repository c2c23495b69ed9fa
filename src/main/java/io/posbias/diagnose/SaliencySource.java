package io.posbias.diagnose;

import io.posbias.Parallel;
import io.posbias.Plural;
import io.posbias.Progress;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Span;
import io.posbias.encode.Engine;
import io.posbias.evaluate.TextScorer;
import io.posbias.retrieve.Attribution;
import io.posbias.retrieve.Attributor;
import io.posbias.retrieve.Recipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
            List<TextScorer.Pair> all = new ArrayList<>();
            // Queries of one passage share its texts: without that they would be in memory once for each.
            Map<String, List<String>> texts = new HashMap<>();
            for (Fit fit : fits) {
                Occlusion occlusion = occlusions.computeIfAbsent(
                        fit.text(), text -> new Occlusion(text, fit.words(), window, stride));
                texts.computeIfAbsent(fit.text(), key -> occlusion.texts())
                        .forEach(text -> all.add(new TextScorer.Pair(fit.query(), text)));
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

    /** Splits scores into what each token adds. */
    final class ByContribution implements SaliencySource {
        private final List<Fit> fits;
        /** The places of the documents of each text. */
        private final List<List<Integer>> byText;

        public ByContribution(List<Fit> fits) {
            this.fits = fits;
            this.byText = List.copyOf(IntStream.range(0, fits.size())
                    .boxed()
                    .collect(Collectors.groupingBy(i -> fits.get(i).text(), LinkedHashMap::new, Collectors.toList()))
                    .values());
        }

        /** Refuses models whose scores are no sums, before any is loaded. */
        public static void check(List<Recipe> recipes) {
            for (Recipe recipe : recipes) {
                if (recipe.retriever().attribution() instanceof Attribution.None none) {
                    throw new UsageException("--method contribution: " + recipe.name() + " " + none.why()
                            + "; --method occlusion takes every model");
                }
            }
        }

        @Override
        public List<SaliencyMap> maps(Recipe recipe, Engine engine) {
            if (!(recipe.retriever().attribution() instanceof Attribution.Exact exact)) {
                throw new IllegalStateException(recipe.name() + " was not checked");
            }
            SaliencyMap[] maps = new SaliencyMap[fits.size()];
            try (Attributor attributor = exact.open(engine);
                    Progress.Step step = engine.progress().start("split scores of " + recipe.name(), byText.size())) {
                int threads = engine.device().isCuda() ? 1 : engine.threads();
                Parallel.forChunks(threads, byText.size(), 1, () -> (from, to) -> {
                    for (int i = from; i < to; i++) {
                        split(attributor, byText.get(i), maps);
                        step.advance(1);
                    }
                });
            }
            return Arrays.stream(maps).map(Objects::requireNonNull).toList();
        }

        private void split(Attributor attributor, List<Integer> places, SaliencyMap[] maps) {
            List<String> queries =
                    places.stream().map(place -> fits.get(place).query()).toList();
            String text = fits.get(places.getFirst()).text();
            List<Attributor.Contributions> all = attributor.of(text, queries);
            for (int i = 0; i < all.size(); i++) {
                maps[places.get(i)] = map(fits.get(places.get(i)).document(), text, all.get(i));
            }
        }

        private static SaliencyMap map(
                Documents.Document document, String text, Attributor.Contributions contributions) {
            List<Span> units = new ArrayList<>();
            List<SaliencyMap.Part> parts = new ArrayList<>();
            for (int i = 0; i < contributions.values().length; i++) {
                units.add(new Span(contributions.starts()[i], contributions.ends()[i]));
                parts.add(new SaliencyMap.Part(i, i + 1, contributions.values()[i]));
            }
            return new SaliencyMap(
                    document.query().id(),
                    document.query().text(),
                    text,
                    document.evidence(),
                    contributions.score(),
                    contributions.rest(),
                    units,
                    parts);
        }

        @Override
        public String work() {
            return Plural.of(fits.size(), "pair");
        }
    }
}

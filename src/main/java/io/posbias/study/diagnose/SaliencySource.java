package io.posbias.study.diagnose;

import io.posbias.base.process.Parallel;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.Words;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.worker.WorkerInside;
import io.posbias.model.inside.BiasShares;
import io.posbias.model.inside.InsideModel;
import io.posbias.model.retrieve.Attribution;
import io.posbias.model.retrieve.Attributor;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.TextScorer;
import io.posbias.study.diagnose.SaliencyPairs.SaliencyPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Computes the saliency of texts with one method. */
final class SaliencySource {
    /** Largest relative difference between a score and the sum of its parts; absolute for scores below 1. */
    private static final double TOLERANCE = 1e-4;

    private final SaliencyPairs pairs;
    private final SaliencySettings settings;
    /** Index of each different query, in order. */
    private final Map<String, Integer> asked = new LinkedHashMap<>();
    /** By text; empty for methods other than occlusion. */
    private final Map<String, Occlusion> occlusions = new HashMap<>();

    SaliencySource(SaliencyPairs pairs, SaliencySettings settings) {
        this.pairs = pairs;
        this.settings = settings;
        pairs.all().forEach(pair -> asked.putIfAbsent(pair.query(), asked.size()));
        Integer window = settings.window();
        Integer stride = settings.stride();
        if (window != null && stride != null) {
            pairs.all()
                    .forEach(pair -> occlusions.computeIfAbsent(
                            pair.document(),
                            text -> new Occlusion(text, Words.cut(text, pairs.language()), window, stride)));
        }
    }

    String work() {
        return occlusions.isEmpty()
                ? Plural.of(pairs.size(), "pair")
                : Plural.of(
                        pairs.all().stream()
                                .mapToInt(pair -> occlusion(pair).windows() + 1)
                                .sum(),
                        "item");
    }

    private Occlusion occlusion(SaliencyPair pair) {
        return Objects.requireNonNull(occlusions.get(pair.document()));
    }

    /**
     * Saliency of every pair, in order.
     *
     * @param engine what looked into the model; null for methods that look into none
     */
    record SaliencyScores(List<SaliencyMap> maps, @Nullable String engine) {}

    SaliencyScores maps(Recipe recipe, Engine engine) {
        return switch (settings.method()) {
            case OCCLUSION -> new SaliencyScores(occlude(recipe, engine), null);
            case CONTRIBUTION -> new SaliencyScores(contributions(recipe, engine), null);
            case GRADIENT -> gradients(recipe, engine);
            case DECOMPX -> decompose(recipe, engine);
        };
    }

    private double[] scores(List<TextScorer.TitledPair> texts, Recipe recipe, Engine engine) {
        return TextScorer.values(new TextScorer(texts, pairs.language(), pairs.queryLanguage()).score(recipe, engine));
    }

    private List<SaliencyMap> occlude(Recipe recipe, Engine engine) {
        List<TextScorer.TitledPair> all = new ArrayList<>();
        // Queries of one passage share its texts: without that they would be in memory once for each.
        Map<String, List<String>> texts = new HashMap<>();
        for (SaliencyPair pair : pairs.all()) {
            texts.computeIfAbsent(pair.document(), key -> occlusion(pair).texts())
                    .forEach(text -> all.add(new TextScorer.TitledPair(pair.query(), text)));
        }
        double[] scores = scores(all, recipe, engine);
        List<SaliencyMap> maps = new ArrayList<>();
        int from = 0;
        for (SaliencyPair pair : pairs.all()) {
            int to = from + 1 + occlusion(pair).windows();
            maps.add(occlusion(pair).map(pair, Arrays.copyOfRange(scores, from, to)));
            from = to;
        }
        return maps;
    }

    /** Returns the places of the pairs of each text, which is read once for all of its queries. */
    private List<List<Integer>> byText() {
        return List.copyOf(IntStream.range(0, pairs.size())
                .boxed()
                .collect(Collectors.groupingBy(
                        i -> pairs.all().get(i).document(), LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    private String text(List<Integer> places) {
        return pairs.all().get(places.getFirst()).document();
    }

    private List<String> queries(List<Integer> places) {
        return places.stream().map(place -> pairs.all().get(place).query()).toList();
    }

    private List<String> queries() {
        return List.copyOf(asked.keySet());
    }

    /** Returns the index of a pair's query among {@link #queries()}. */
    private int asked(int pair) {
        return Objects.requireNonNull(asked.get(pairs.all().get(pair).query()));
    }

    private static SaliencyMap ofTokens(
            SaliencyPair pair, List<Span> units, double[] values, double score, @Nullable Double rest, boolean cut) {
        List<SaliencyMap.SaliencyPart> parts = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            parts.add(new SaliencyMap.SaliencyPart(i, i + 1, values[i]));
        }
        return new SaliencyMap(pair, score, rest, units, parts, cut, null);
    }

    private List<SaliencyMap> contributions(Recipe recipe, Engine engine) {
        if (!(Attribution.of(recipe) instanceof Attribution.Exact exact)) {
            throw new IllegalStateException(recipe.name() + " was not checked");
        }
        List<List<Integer>> texts = byText();
        SaliencyMap[] maps = new SaliencyMap[pairs.size()];
        try (Attributor attributor = exact.open(engine);
                Progress.Step step = engine.progress().start("split scores of " + recipe.name(), texts.size())) {
            int threads = engine.device().isCuda() ? 1 : engine.threads();
            Parallel.forChunks(threads, texts.size(), 1, () -> (from, to) -> {
                for (List<Integer> places : texts.subList(from, to)) {
                    var place = places.iterator();
                    attributor.of(text(places), queries(places)).forEach(all -> {
                        int pair = place.next();
                        maps[pair] = ofTokens(
                                pairs.all().get(pair),
                                spans(all.starts(), all.ends()),
                                all.values(),
                                all.score(),
                                all.rest(),
                                false);
                    });
                    step.advance(1);
                }
            });
        }
        return List.of(maps);
    }

    private SaliencyScores gradients(Recipe recipe, Engine engine) {
        List<List<Integer>> texts = byText();
        SaliencyMap[] maps = new SaliencyMap[pairs.size()];
        try (InsideModel model = InsideModel.open(recipe, engine)) {
            if (!model.isCosine()) {
                engine.say(recipe.name()
                        + ": gradients of the inner product, which its recipe compares with, not of a cosine");
            }
            List<float[]> queries = model.queries(queries());
            try (Progress.Step step = engine.progress().start("gradients of " + recipe.name(), texts.size())) {
                List<List<float[]>> directions = texts.stream()
                        .map(places -> places.stream()
                                .map(place -> queries.get(asked(place)))
                                .toList())
                        .toList();
                model.passages().gradients(texts.stream().map(this::text).toList(), directions, (found, text) -> {
                    requireTokens(found.read());
                    for (int i = 0; i < texts.get(text).size(); i++) {
                        int pair = texts.get(text).get(i);
                        maps[pair] = ofTokens(
                                pairs.all().get(pair),
                                spans(found.read().starts(), found.read().ends()),
                                doubles(found.norms().get(i)),
                                found.scores().get(i),
                                null,
                                found.read().cut());
                    }
                    step.advance(1);
                });
            }
            return new SaliencyScores(List.of(maps), model.engine());
        }
    }

    private static void requireTokens(WorkerInside.Read read) {
        if (read.tokens() == 0) {
            throw new PosbiasException("no token of a passage is read: max-tokens in the recipe leaves no room");
        }
    }

    private static List<Span> spans(int[] starts, int[] ends) {
        return IntStream.range(0, starts.length)
                .mapToObj(i -> new Span(starts[i], ends[i]))
                .toList();
    }

    private static double[] doubles(float[] values) {
        return IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray();
    }

    /** Decomposes the texts, whose scores the retriever gives. */
    private SaliencyScores decompose(Recipe recipe, Engine engine) {
        BiasShares biases = Objects.requireNonNull(settings.biases());
        double[] scores = scores(
                pairs.all().stream()
                        .map(pair -> new TextScorer.TitledPair(pair.query(), pair.document()))
                        .toList(),
                recipe,
                engine);
        List<List<Integer>> texts = byText();
        SaliencyMap[] maps = new SaliencyMap[pairs.size()];
        try (InsideModel model = InsideModel.open(recipe, engine);
                Progress.Step step =
                        engine.progress().start("take scores of " + recipe.name() + " apart", texts.size())) {
            List<String> asked = queries();
            InsideModel.Decomposed[] queries = new InsideModel.Decomposed[asked.size()];
            model.decompose(asked, Role.QUERY, biases, (found, query) -> queries[query] = found);
            model.decompose(texts.stream().map(this::text).toList(), Role.PASSAGE, biases, (found, text) -> {
                for (int place : texts.get(text)) {
                    SaliencyPair pair = pairs.all().get(place);
                    InsideModel.Decomposed query = queries[asked(place)];
                    TokenMap map = new TokenMap(
                            query.reading(), found.reading(), query.parts().products(found.parts()));
                    check(recipe, pair, map.sum(), scores[place]);
                    maps[place] = map.saliency(pair, scores[place]);
                }
                step.advance(1);
            });
            return new SaliencyScores(List.of(maps), model.engine());
        }
    }

    private static void check(Recipe recipe, SaliencyPair pair, double sum, double score) {
        if (!(Math.abs(sum - score) <= TOLERANCE * Math.max(1, Math.abs(score)))) {
            throw new PosbiasException(String.format(
                    Locale.ROOT,
                    "%s: the parts of query %s and its text sum to %.4g, their score is %.4g; the forward pass that"
                            + " 'transformer' in the recipe names is not that of the ONNX file",
                    recipe.name(),
                    Printable.quoted(pair.name()),
                    sum,
                    score));
        }
    }

    /**
     * Occlusion saliency of windows of words: the drop of the score without the window (Zeiler and Fergus 2014, arXiv:1311.2901;
     * for text Li, Monroe and Jurafsky 2016, arXiv:1612.08220). A window begins every {@code stride} words; the last one ends with
     * the text, so that all have equal length.
     */
    public static final class Occlusion {
        private final String text;
        private final List<Span> words;
        private final int window;
        private final int[] starts;

        /**
         * @param window fewer words than the text has
         * @param stride from 1 to {@code window}
         */
        public Occlusion(String text, List<Span> words, int window, int stride) {
            if (window < 1 || stride < 1 || stride > window || window >= words.size()) {
                throw new IllegalArgumentException(
                        "windows of " + window + " words, every " + stride + ", of " + words.size() + " words");
            }
            this.text = text;
            this.words = List.copyOf(words);
            this.window = window;
            int last = words.size() - window;
            this.starts = new int[Math.ceilDiv(last, stride) + 1];
            for (int i = 0; i < starts.length; i++) {
                starts[i] = Math.min(i * stride, last);
            }
        }

        /** Number of windows, at least two. */
        public int windows() {
            return starts.length;
        }

        /** The text, then the text without each window. */
        public List<String> texts() {
            List<String> texts = new ArrayList<>(List.of(text));
            for (int start : starts) {
                int from = words.get(start).start();
                int to = words.get(start + window - 1).end();
                // White space at the end of a text says nothing, and would be there for the last window alone.
                texts.add(
                        to == text.length()
                                ? text.substring(0, from).stripTrailing()
                                : text.substring(0, from) + text.substring(to));
            }
            return List.copyOf(texts);
        }

        /** The saliency of each window, from the scores of {@link #texts()}. */
        public SaliencyMap map(SaliencyPair pair, double[] scores) {
            List<SaliencyMap.SaliencyPart> parts = new ArrayList<>();
            for (int i = 0; i < starts.length; i++) {
                parts.add(new SaliencyMap.SaliencyPart(starts[i], starts[i] + window, scores[0] - scores[i + 1]));
            }
            return new SaliencyMap(pair, scores[0], null, words, parts, false, null);
        }
    }
}

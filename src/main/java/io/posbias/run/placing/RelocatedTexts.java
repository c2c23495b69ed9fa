package io.posbias.run.placing;

import io.posbias.base.files.Checksums;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Clusters;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.Words;
import io.posbias.data.position.WindowCutter;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.text.Terms;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.SearchReport;
import io.posbias.rank.TruncationReport;
import io.posbias.run.ContentFixing;
import io.posbias.run.TextScorer;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.Measure;
import io.posbias.score.measure.Power;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import io.posbias.score.result.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counterfactual ranks of passages with the evidence at several places. The relocated text replaces its passage; every other
 * passage keeps its score. A passage that a reranker's first stage does not retrieve stays unretrieved at every place.
 */
public final class RelocatedTexts {
    /** Default number of places. */
    public static final int PLACES = 10;

    private static final int LEAST_QUERIES = 50;

    /** Queries after which {@link Until} is asked for the first time, and from then on. */
    private static final int FIRST = 100;

    private static final int ROUND = 25;

    /** Largest relative difference of equal scores, from sums of floats in another order. */
    private static final double ROUNDING = 1e-6;

    private final Dataset dataset;
    private final Choice choice;
    private final List<RelocatedDocument> placed;
    private final TextScorer scorer;

    /**
     * Relocation settings.
     *
     * @param places at least {@link Relocation#leastPlaces}
     * @param window words of a window
     */
    public record Choice(Relocation method, int places, int window) {
        /** The default of a method. */
        public static Choice of(Relocation method) {
            return new Choice(method, method.places(), WindowCutter.LENGTH);
        }

        /** Describes the scores of {@code n} queries: equal descriptions, equal numbers. */
        private String name(int n) {
            String words = method == Relocation.WINDOWS ? " of " + window + " words" : "";
            return n + " queries at " + places + " places by " + method + words;
        }
    }

    private record RelocatedDocument(Documents.Document document, List<Relocation.Text> texts) {
        Query query() {
            return document.query();
        }

        Stream<TextScorer.TitledPair> pairs() {
            return texts.stream()
                    .map(text -> new TextScorer.TitledPair(
                            query().text(), document.passage().title(), text.text()));
        }
    }

    /** Condition at which no further queries are scored. */
    @FunctionalInterface
    public interface Until {
        boolean isReached(List<ScoresByPlace> rows, Dataset dataset);

        /**
         * Stops when front - back {@linkplain ContentFixedFit#isKnown is known}.
         *
         * @param settings clusters and confidence of the interval
         */
        static Until known(Settings settings) {
            return (rows, dataset) -> new ContentFixedFit(settings.on(dataset), "", 1).isKnown(rows);
        }
    }

    /**
     * Builds the texts.
     *
     * @throws UsageException if no query has an evidence span in its one relevant passage
     * @throws PosbiasException if no passage is long enough, or too few queries have windows
     */
    public RelocatedTexts(Documents documents, Choice choice, Session session) {
        this.dataset = documents.dataset();
        this.choice = choice;
        List<Query> evident = documents.evident();
        if (evident.isEmpty()) {
            throw new UsageException("dataset " + dataset.name()
                    + " has no query with an evidence span in its one relevant passage; there is nothing to place");
        }
        this.placed = choice.method() == Relocation.WINDOWS
                ? cut(documents, choice, evident, session)
                : documents.fitting(
                        documents.read(evident),
                        document -> EvidenceMover.of(document.sentences(), Objects.requireNonNull(document.evidence()))
                                .map(mover -> choice.method()
                                        .texts(
                                                mover,
                                                choice.places(),
                                                !document.passage().title().isEmpty()))
                                .map(texts -> new RelocatedDocument(document, texts)),
                        "queries with the content held fixed, by " + choice.method(),
                        "fewer than " + EvidenceMover.LEAST_SENTENCES + " sentences or nothing but evidence",
                        "there is nothing to place",
                        "",
                        session);
        this.scorer = scorer(placed);
        Clusters clusters = Clusters.named(
                placed.stream().map(own -> documents.clusterOf(own.document())).toList());
        if (clusters.areFew()) {
            double effective = clusters.effective();
            session.say(dataset.name() + ": " + Answer.tooFew(placed.size(), clusters.count(), effective) + "; about "
                    + Plural.of(
                            Objects.requireNonNull(Power.enough(0, placed.size(), clusters.count(), effective)),
                            "query")
                    + " like these " + placed.size());
        }
        long[] size = scorer.size();
        session.say(String.format(
                Locale.ROOT,
                "%s: %d different texts of %d places to score, %.1f million characters",
                dataset.name(),
                size[0],
                choice.places(),
                size[1] / 1e6));
    }

    private TextScorer scorer(List<RelocatedDocument> some) {
        return new TextScorer(
                some.stream().flatMap(RelocatedDocument::pairs).toList(),
                dataset.card().language(),
                dataset.card().queryLanguage());
    }

    private static List<RelocatedDocument> cut(
            Documents documents, Choice choice, List<Query> evident, Session session) {
        EvidenceWindows windows = new EvidenceWindows(documents.dataset(), choice.places(), choice.window(), session);
        List<Documents.Document> read = documents.read(evident);
        List<RelocatedDocument> cut = read.stream()
                .flatMap(document -> windows.of(document).map(texts -> new RelocatedDocument(document, texts)).stream())
                .toList();
        int clusters = Math.toIntExact(cut.stream()
                .map(own -> documents.clusterOf(own.document()))
                .distinct()
                .count());
        String windowed = "windows of " + choice.window() + " words that share the question's terms at "
                + choice.places() + " places";
        String left = "; left out: " + windows.reasons();
        if (cut.size() < LEAST_QUERIES || clusters < Clusters.FEW) {
            throw new FewWindows(documents.dataset().name() + ": " + windowed + " need " + LEAST_QUERIES
                    + " queries of " + Clusters.FEW + " clusters, not " + cut.size() + " of " + clusters + left);
        }
        session.say(documents.dataset().name() + ": " + Plural.of(cut.size(), "query") + " of "
                + Plural.of(clusters, "cluster") + " have " + windowed + left);
        return cut;
    }

    /** Too few windows; only who chose them can choose others. */
    private static final class FewWindows extends PosbiasException {
        private static final long serialVersionUID = 1;

        private final String found;

        FewWindows(String found) {
            super(found + "; give another --window, fewer --places or --placing rotation");
            this.found = found;
        }
    }

    /**
     * Builds the texts by the method that suits the models: windows where one of them does not read most passages to their end, and
     * enough windows can be cut of all benchmarks; otherwise rotation, which moves evidence past the limit of the model.
     */
    public static List<RelocatedTexts> usual(List<Documents> all, List<Recipe> recipes, Engine engine) {
        Session session = engine.session();
        if (all.stream().anyMatch(documents -> documents.areCut(recipes, engine))) {
            try {
                List<RelocatedTexts> windows = all.stream()
                        .map(documents -> new RelocatedTexts(documents, Choice.of(Relocation.WINDOWS), session))
                        .toList();
                session.say(
                        "note: most passages are longer than a model reads, so windows of the same text are compared"
                                + " (diagnose position --placing rotation moves the evidence instead)");
                return windows;
            } catch (FewWindows few) {
                session.say("note: the evidence is rotated, as windows do not suffice: " + few.found);
            }
        }
        return all.stream()
                .map(documents -> new RelocatedTexts(documents, Choice.of(Relocation.ROTATION), session))
                .toList();
    }

    /** Returns the number of texts to score, without repetitions. */
    public int count() {
        return Math.toIntExact(scorer.size()[0]);
    }

    public Relocation method() {
        return choice.method();
    }

    /** Returns the texts of all queries. */
    public TextScorer all() {
        return scorer;
    }

    /** Returns the texts that are scored whatever the condition. */
    public TextScorer first() {
        return placed.size() <= FIRST ? scorer : scorer(placed.subList(0, FIRST));
    }

    /**
     * Builds the content-fixed evaluation of a benchmark with these texts.
     *
     * @param until null to score all queries
     */
    public ContentFixing fixing(int n, @Nullable Until until) {
        return fixing(choice, n, until, own -> this);
    }

    /** Builds the content-fixed evaluation of {@code eval}. */
    public static ContentFixing fixing(Choice choice, int n, int seed, Session session) {
        return fixing(choice, n, null, seed, session);
    }

    /**
     * Builds the content-fixed evaluation of texts that are made when they are needed.
     *
     * @param until null to score all queries
     */
    public static ContentFixing fixing(Choice choice, int n, @Nullable Until until, int seed, Session session) {
        return fixing(choice, n, until, own -> new RelocatedTexts(new Documents(own, n, seed), choice, session));
    }

    private static ContentFixing fixing(
            Choice choice, int n, @Nullable Until until, Function<Dataset, RelocatedTexts> texts) {
        IdentityHashMap<Dataset, RelocatedTexts> made = new IdentityHashMap<>();
        return new ContentFixing(
                choice.name(n)
                        + (until == null
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        ", until front - back is known to %.0f points",
                                        100 * ContentFixedFit.KNOWN)),
                choice.method().toString(),
                (dataset, recipe, found, measure, engine) ->
                        made.computeIfAbsent(dataset, texts).scores(recipe, found, measure, until, engine));
    }

    /** SHA-256 of queries, texts and further inputs. */
    public String digest(String... more) {
        return Checksums.sha256(Stream.of(
                        Arrays.stream(more),
                        dataset.checksums().values().stream().sorted(),
                        placed.stream()
                                .map(own ->
                                        own.query().id() + "\n" + own.query().text()),
                        placed.stream().flatMap(own -> own.texts().stream().map(Relocation.Text::text)))
                .flatMap(parts -> parts));
    }

    public String name() {
        return dataset.name();
    }

    /** The benchmark restricted to these queries. */
    public Dataset asked() {
        return new Dataset(dataset.card(), dataset.checksums(), dataset.passages(), queries(), dataset.qrels());
    }

    /** The queries, in the order of the scores. */
    public List<Query> queries() {
        return placed.stream().map(RelocatedDocument::query).toList();
    }

    /**
     * Scores all places with a model.
     *
     * @param found the model's rankings, deeper than the measure's cutoff
     */
    public List<ScoresByPlace> scores(Recipe recipe, RetrievedRun found, Measure measure, Engine engine) {
        return scores(recipe, found, measure, null, engine);
    }

    /** @param until null to score all queries, which were drawn in their order */
    private List<ScoresByPlace> scores(
            Recipe recipe, RetrievedRun found, Measure measure, @Nullable Until until, Engine engine) {
        List<ScoresByPlace> rows = new ArrayList<>();
        try (PoolScorer opened = recipe.retriever().scorer(dataset, engine)) {
            while (rows.size() < placed.size()
                    && (rows.isEmpty() || until == null || !until.isReached(rows, dataset))) {
                int most = until == null ? placed.size() : rows.isEmpty() ? FIRST : rows.size() + ROUND;
                List<RelocatedDocument> next = placed.subList(rows.size(), Math.min(most, placed.size()));
                TextScorer texts = next.size() == placed.size() ? scorer : scorer(next);
                rows.addAll(rows(next, texts.score(opened), found, measure));
            }
        }
        return rows;
    }

    private List<ScoresByPlace> rows(
            List<RelocatedDocument> documents, List<TextScorer.TextScore> scores, RetrievedRun found, Measure measure) {
        List<ScoresByPlace> rows = new ArrayList<>();
        int next = 0;
        for (RelocatedDocument own : documents) {
            int places = own.texts().size();
            rows.add(row(own, scores.subList(next, next + places), found, measure));
            next += places;
        }
        return rows;
    }

    private ScoresByPlace row(
            RelocatedDocument own, List<TextScorer.TextScore> scores, RetrievedRun found, Measure measure) {
        String query = own.query().id();
        Judgments judged = Objects.requireNonNull(dataset.qrels().of(query), "evident queries have judgements");
        int relevant = Documents.passage(dataset, own.query());
        // Further passages with the same evidence would be found in place of the moved one.
        Judgments judgments = judged.relevant() == 1 ? judged : Judgments.of(Map.of(relevant, judged.grade(relevant)));
        Ranking ranking = found.run().of(query).without(copies(judged, relevant));
        double observed = measure.score(ranking, judgments);
        boolean reachable = isReachable(found.report().firstStage(), query, relevant);
        List<Ranking> rankings = scores.stream()
                .map(score -> reachable ? with(ranking, relevant, (float) score.value()) : ranking)
                .toList();
        double[] values = rankings.stream()
                .mapToDouble(placed -> measure.score(placed, judgments))
                .toArray();
        boolean[] hits = new boolean[values.length];
        for (int place = 0; place < hits.length; place++) {
            hits[place] = ScoresByPlace.isFound(rankings.get(place), judgments);
        }
        return new ScoresByPlace(
                query,
                own.document().passage().id(),
                own.document().passage().article(),
                observed,
                values,
                hits,
                flags(own, Relocation.Text::natural),
                own.texts().stream().mapToInt(Relocation.Text::broken).toArray(),
                read(own, scores));
    }

    private static Set<Integer> copies(Judgments judgments, int relevant) {
        return Arrays.stream(judgments.relevantPassages())
                .filter(passage -> passage != relevant)
                .boxed()
                .collect(Collectors.toSet());
    }

    private static boolean[] flags(RelocatedDocument own, Predicate<Relocation.Text> which) {
        boolean[] flags = new boolean[own.texts().size()];
        for (int place = 0; place < flags.length; place++) {
            flags[place] = which.test(own.texts().get(place));
        }
        return flags;
    }

    private static boolean isReachable(SearchReport.@Nullable FirstStage stage, String query, int passage) {
        return stage == null || Arrays.stream(stage.pool().of(query).passages()).anyMatch(handed -> handed == passage);
    }

    /**
     * The ranking with another score for one passage. If a retriever returns fewer passages than the corpus has, all with
     * positive scores, a passage with a score of 0 or less is dropped.
     */
    private Ranking with(Ranking ranking, int passage, float score) {
        int[] others = IntStream.range(0, ranking.size())
                .filter(rank -> ranking.passage(rank) != passage)
                .toArray();
        int[] passages = new int[others.length + 1];
        float[] scores = new float[passages.length];
        double largest = Math.abs(score);
        for (int i = 0; i < others.length; i++) {
            passages[i] = ranking.passage(others[i]);
            scores[i] = ranking.score(others[i]);
            largest = Math.max(largest, Math.abs(scores[i]));
        }
        boolean positive = IntStream.range(0, others.length).allMatch(i -> scores[i] > 0);
        if (score <= 0 && positive && ranking.size() < dataset.passages().size()) {
            return Ranking.of(Arrays.copyOf(passages, others.length), Arrays.copyOf(scores, others.length));
        }
        passages[others.length] = passage;
        scores[others.length] = level(score, scores, others.length, ROUNDING * largest);
        return Ranking.of(passages, scores);
    }

    /** The nearest of the scores if equal up to rounding, so that identifiers break the tie. */
    private static float level(float score, float[] others, int count, double rounding) {
        float nearest = score;
        double least = rounding;
        for (int i = 0; i < count; i++) {
            double distance = Math.abs((double) others[i] - score);
            if (distance <= least) {
                least = distance;
                nearest = others[i];
            }
        }
        return nearest;
    }

    private static Read[] read(RelocatedDocument own, List<TextScorer.TextScore> scores) {
        return IntStream.range(0, scores.size())
                .mapToObj(place -> {
                    Relocation.Text text = own.texts().get(place);
                    int seen = scores.get(place).seen();
                    return seen == TruncationReport.UNKNOWN ? Read.UNKNOWN : Read.of(text.evidence(), seen);
                })
                .toArray(Read[]::new);
    }

    /**
     * Windows of a benchmark's passages with the evidence at each place, matched on the question's terms like those of {@code data
     * build windows}. Unmatched windows differ in content between front and back, which gives position-blind models a direction.
     */
    static final class EvidenceWindows {
        private final WindowCutter cutter;
        private final Map<String, WindowCutter.Text> texts = new HashMap<>();
        private final Map<WindowCutter.Unfit, Integer> unfit = new EnumMap<>(WindowCutter.Unfit.class);

        EvidenceWindows(Dataset dataset, int places, int words, Session session) {
            String language = dataset.card().language();
            this.cutter = new WindowCutter(
                            places,
                            words,
                            WindowCutter.TOLERANCE,
                            WindowCutter.MATCH,
                            text -> Words.cut(text, language).size(),
                            new Terms(dataset.card(), session),
                            term -> 1,
                            language)
                    .weighing(dataset.passages());
        }

        /** The windows of all places; empty if one is missing, which is counted. */
        Optional<List<Relocation.Text>> of(Documents.Document document) {
            Passage passage = document.passage();
            Span evidence = Objects.requireNonNull(document.evidence());
            if (evidence.of(passage.text()).isBlank()) {
                return Optional.empty();
            }
            WindowCutter.Cut cut = texts.computeIfAbsent(passage.id(), id -> cutter.text(passage.text()))
                    .cut(evidence, document.query().text());
            if (cut.unfit() != null) {
                unfit.merge(cut.unfit(), 1, Integer::sum);
                return Optional.empty();
            }
            return Optional.of(
                    cut.windows().stream().map(window -> text(document, window)).toList());
        }

        private static Relocation.Text text(Documents.Document document, WindowCutter.Window window) {
            Evidence evidence = Objects.requireNonNull(window.evidence());
            List<Span> sentences = document.sentences().spans();
            return new Relocation.Text(
                    window.span().of(document.passage().text()),
                    Objects.requireNonNull(evidence.span()),
                    window.span().start() == sentences.getFirst().start()
                            && window.span().end() == sentences.getLast().end(),
                    0);
        }

        String reasons() {
            return unfit.entrySet().stream()
                    .map(entry -> entry.getValue() + " with " + entry.getKey().words())
                    .collect(Collectors.joining(", "));
        }
    }
}

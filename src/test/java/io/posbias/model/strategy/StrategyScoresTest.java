package io.posbias.model.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import io.posbias.rank.SearchStat;
import io.posbias.study.calibrate.PlantedBenchmark;
import io.posbias.study.calibrate.ReferenceSpec;
import io.posbias.study.calibrate.ReferenceSpec.ReferenceKind;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strategies around tiny models on a made-up benchmark: what they find is what follows from the plain model's scores. */
class StrategyScoresTest {
    private static final int PASSAGES = 30;

    @TempDir
    static Path temp;

    private static Dataset planted =
            new Dataset(DatasetCard.named("none"), Map.of(), Passages.of(List.of()), List.of(), new Qrels(Map.of()));
    private static Engine engine = Engine.quiet(2, Sessions.in(Path.of("")));

    private static final int[] DEPTHS = {1, 7, PASSAGES};

    private static final Map<String, String> MODELS = new HashMap<>();
    private static final Map<String, List<Run>> PLAIN = new HashMap<>();

    @BeforeAll
    static void write() throws IOException {
        planted = DatasetReader.open(PlantedBenchmark.write(temp.resolve("planted"), 5, PASSAGES, true));
        engine = Engine.quiet(2, Sessions.in(temp));
        MODELS.put("bm25", "bm25");
        MODELS.put("dense", reference(new ReferenceSpec(ReferenceKind.PRIMACY, 1)));
        MODELS.put("late", reference(new ReferenceSpec(ReferenceKind.LATE_PRIMACY, 1)));
        Path graph = new ReferenceSpec(ReferenceKind.PRIMACY, 1)
                .encoder(3, 512)
                .write(temp.resolve("graph"), PlantedBenchmark.WORDS);
        Files.writeString(graph, Files.readString(graph) + "search: hnsw\nhnsw: {m: 2, ef-construction: 2, ef: 1}\n");
        MODELS.put("hnsw", graph.toString());
        Path staged = new ReferenceSpec(ReferenceKind.LATE_PRIMACY, 1)
                .encoder(3, 512)
                .write(temp.resolve("staged"), PlantedBenchmark.WORDS);
        Files.writeString(staged, Files.readString(staged) + "first-stage: bm25\ndepth: 20\n");
        MODELS.put("staged", staged.toString());
        WordTokenizer tokenizer = WordTokenizer.of(PlantedBenchmark.WORDS);
        MODELS.put(
                "cross",
                StandInRerankers.write(
                                temp.resolve("cross"),
                                "cross",
                                StandInRerankers.overlap(tokenizer.size(), 1),
                                tokenizer.toJson(),
                                "kind: cross-encoder\nfamily: reranker\nmax-tokens: 512\nfirst-stage: bm25\ndepth: 20\n")
                        .toString());
    }

    private static String reference(ReferenceSpec planted) {
        return planted.encoder(3, 512)
                .write(temp.resolve(planted.model()), PlantedBenchmark.WORDS)
                .toString();
    }

    private static Recipe recipe(String spec) {
        int end = spec.indexOf('+') < 0 ? spec.length() : spec.indexOf('+');
        return RecipeBook.find(
                MODELS.getOrDefault(spec.substring(0, end), spec.substring(0, end)) + spec.substring(end));
    }

    private static RetrievedRun search(Recipe recipe, Dataset dataset, int k, Engine engine) {
        try (Searcher searcher = recipe.retriever().open(dataset, engine)) {
            return searcher.search(dataset.queries(), k);
        }
    }

    private static Run search(String spec, Dataset dataset, int k) {
        return search(recipe(spec), dataset, k, engine).run();
    }

    /** Runs of several depths by one searcher, which encodes the passages once. */
    private static List<Run> searches(String spec, Dataset dataset, int... depths) {
        try (Searcher searcher = recipe(spec).retriever().open(dataset, engine)) {
            return IntStream.of(depths)
                    .mapToObj(k -> searcher.search(dataset.queries(), k).run())
                    .toList();
        }
    }

    private static void assertSame(Run found, Run expected) {
        assertThat(found.queries()).isEqualTo(expected.queries());
        for (int query = 0; query < expected.queries().size(); query++) {
            assertSame(found.ranking(query), expected.ranking(query));
        }
    }

    private static void assertSame(Ranking found, Ranking expected) {
        assertThat(found.passages()).containsExactly(expected.passages());
        assertThat(IntStream.range(0, found.size()).mapToObj(found::score))
                .containsExactlyElementsOf(IntStream.range(0, expected.size())
                        .mapToObj(expected::score)
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "bm25+chunked:window=200, bm25",
        "bm25+chunked:window=200:score=sum, bm25",
        "dense+chunked:window=200, dense",
        "dense+chunked:window=200:score=mean, dense",
        "dense+late-chunked:window=200, dense",
        "late+chunked:window=200, late",
        "staged+chunked:window=200, staged",
        "cross+chunked:window=200, cross",
    })
    void oneWindowOfEachPassageIsThePlainModel(String wrapped, String plain) {
        List<Run> found = searches(wrapped, planted, DEPTHS);
        List<Run> expected = PLAIN.computeIfAbsent(plain, model -> searches(model, planted, DEPTHS));
        for (int i = 0; i < DEPTHS.length; i++) {
            assertSame(found.get(i), expected.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rrf", "min-max"})
    void bm25FusedWithItselfIsBm25(String method) {
        Run plain = search("bm25", planted, 10);
        Run fused = search("bm25+fused:with=bm25:method=" + method, planted, 10);
        for (int query = 0; query < plain.queries().size(); query++) {
            assertThat(fused.ranking(query).passages())
                    .containsExactly(plain.ranking(query).passages());
        }
        double best = method.equals("rrf") ? 2.0 / 61 : 2;
        assertThat(fused.ranking(0).score(0)).isEqualTo((float) best);
    }

    /** Few passages of many windows, many of one window, all of a few words: windows tie by the dozen. */
    private static Dataset uneven() {
        Random random = new Random(9);
        List<Passage> passages = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int length = i % 8 == 0 ? 200 : 1 + random.nextInt(9);
            StringBuilder text = new StringBuilder();
            for (int w = 0; w < length; w++) {
                text.append("w").append(random.nextInt(6)).append(' ');
            }
            passages.add(new Passage("p" + i, "", text.toString()));
        }
        List<Query> queries = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            queries.add(new Query("q" + i, "w" + i % 6 + " w" + random.nextInt(6), null));
        }
        return new Dataset(planted.card(), Map.of(), Passages.of(passages), queries, new Qrels(Map.of()));
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"bm25", "dense", "late"})
    void theFirstPassagesAreThoseOfASearchOverAllWindows(String model) {
        Dataset uneven = uneven();
        assertFirstOfAll(
                model + "+chunked:window=4:stride=1",
                uneven,
                IntStream.iterate(1, k -> k <= 40, k -> k + (k < 6 ? 1 : 7)));
    }

    /** Searches of a few passages find the first ones of a search for all, which comes last. */
    private static Run assertFirstOfAll(String spec, Dataset dataset, IntStream few) {
        int[] depths =
                IntStream.concat(few, IntStream.of(dataset.passages().size())).toArray();
        List<Run> found = searches(spec, dataset, depths);
        for (int i = 0; i < depths.length; i++) {
            assertSame(found.get(i), found.getLast().top(depths[i]));
        }
        return found.getLast();
    }

    /**
     * One passage has more windows than are looked at first, and each is better than all others: without a look further down it
     * would be the only one that is found, and sums and means would be of the best windows alone.
     */
    @ParameterizedTest
    @ValueSource(strings = {"max", "sum", "mean:best=3"})
    void onePassagesWindowsDoNotHideTheOthers(String score) {
        Dataset uneven = uneven();
        List<Passage> passages = new ArrayList<>(List.of(new Passage("flood", "", "w1 ".repeat(400))));
        uneven.passages().inFileOrder((ordinal, passage) -> {
            if (passage.text().length() < 60) {
                passages.add(passage);
            }
        });
        Dataset flooded = new Dataset(
                planted.card(),
                Map.of(),
                Passages.of(passages),
                List.of(new Query("q", "w1", null)),
                new Qrels(Map.of()));
        Run all = assertFirstOfAll("dense+chunked:window=4:stride=1:score=" + score, flooded, IntStream.range(1, 10));
        assertThat(all.ranking(0).size()).isEqualTo(passages.size());
    }

    /** The windows as passages of their own, ranked by the plain model; the best of each passage by hand. */
    @ParameterizedTest
    @ValueSource(strings = {"dense", "late"})
    void aPassageScoresAsTheBestOfItsWindowsDoesAlone(String model) {
        Dataset uneven = uneven();
        List<Passage> windows = new ArrayList<>();
        uneven.passages().inFileOrder((ordinal, passage) -> {
            String[] words = passage.text().strip().split(" ", -1);
            for (int from = 0; from == 0 || from < words.length; from += 4) {
                List<String> own = List.of(words).subList(from, Math.min(from + 4, words.length));
                windows.add(new Passage(passage.id() + "-" + from, "", String.join(" ", own)));
            }
        });
        Dataset cut = new Dataset(
                DatasetCard.named("cut"), Map.of(), Passages.of(windows), uneven.queries(), new Qrels(Map.of()));
        Run plain = search(model, cut, windows.size());
        Run chunked = search(model + "+chunked:window=4:stride=4", uneven, 40);
        for (int query = 0; query < plain.queries().size(); query++) {
            Map<String, Float> best = new HashMap<>();
            Ranking ranking = plain.ranking(query);
            for (int rank = 0; rank < ranking.size(); rank++) {
                String id = plain.passages().id(ranking.passage(rank));
                best.merge(id.substring(0, id.indexOf('-')), ranking.score(rank), Math::max);
            }
            Ranking found = chunked.ranking(query);
            assertThat(found.size()).isEqualTo(40);
            for (int rank = 0; rank < found.size(); rank++) {
                assertThat(found.score(rank))
                        .isEqualTo(best.get(chunked.passages().id(found.passage(rank))));
            }
        }
    }

    /** Every way to score candidates agrees with the search; what a search does not find has a score of 0. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "bm25+chunked:window=20",
                "bm25+chunked:window=20:score=sum",
                "bm25+fused:with=bm25",
                "dense+chunked:window=20",
                "dense+chunked:window=20:score=mean:best=3",
                "dense+late-chunked:window=20",
                "dense+mirrored",
                "dense+fused",
                "dense+fused:method=min-max:weights=[2, 1]",
                "dense+truncated-dimensions",
                "dense+quantised",
                "dense+quantised:numbers=binary",
                "dense+mirrored+quantised:numbers=binary",
                "late+chunked:window=20",
                "late+mirrored",
                "late+fused",
            })
    void candidatesScoreAsInASearch(String spec) {
        Retriever retriever = recipe(spec).retriever();
        Run found = search(spec, planted, PASSAGES);
        List<Ranking> every = found.queries().stream()
                .map(query -> Ranking.of(IntStream.range(0, PASSAGES).toArray(), new float[PASSAGES]))
                .toList();
        Run pool = new Run(planted.passages().ids(), found.queries(), every);
        try (PoolScorer scorer = retriever.scorer(planted, engine)) {
            assertScores(spec, found, scorer.score(planted, pool).run());
            assertScores(spec, found, scorer.score(planted, pool).run());
        }
    }

    /** A graph that leads to hardly anything: a candidate that a search by it misses has its score all the same. */
    @Test
    void candidatesOfAnApproximateSearchAreScoredExactly() {
        Run all = search("dense", planted, PASSAGES);
        try (PoolScorer scorer = recipe("hnsw").retriever().scorer(planted, engine)) {
            assertSame(scorer.score(planted, all).run(), all);
        }
    }

    private static void assertScores(String spec, Run found, Run scored) {
        for (int query = 0; query < found.queries().size(); query++) {
            Map<Integer, Float> expected = new HashMap<>();
            IntStream.range(0, PASSAGES).forEach(passage -> expected.put(passage, 0f));
            Ranking ranking = found.ranking(query);
            for (int rank = 0; rank < ranking.size(); rank++) {
                expected.put(ranking.passage(rank), ranking.score(rank));
            }
            Map<Integer, Float> own = new HashMap<>();
            Ranking all = scored.ranking(query);
            for (int rank = 0; rank < all.size(); rank++) {
                own.put(all.passage(rank), all.score(rank));
            }
            // Sums of late interaction are of other blocks of tokens.
            float rounding = spec.startsWith("late") ? 1e-5f : 0;
            expected.forEach(
                    (passage, score) -> assertThat(own.get(passage)).isCloseTo(score, Offset.offset(rounding)));
            assertThat(own).hasSameSizeAs(expected);
        }
    }

    /** A probe's two texts, equal to the model, are equal to every strategy around it. */
    @Test
    void textsThatScoreAlikeStayAlikeWhenFused() {
        Dataset twins = new Dataset(
                planted.card(),
                Map.of(),
                Passages.of(List.of(new Passage("a", "", "w1 w2 w3"), new Passage("b", "", "w3 w1 w2"))),
                List.of(new Query("q", "w1 w2", null)),
                new Qrels(Map.of()));
        Ranking fused = search("bm25+fused:with=bm25", twins, 2).ranking(0);
        assertThat(fused.score(0)).isEqualTo(fused.score(1));
    }

    /** The first stage of a reranker is not cut: the windows of the passages that it finds are scored, all of them. */
    @Test
    void aFirstStageFindsWholePassages() {
        RetrievedRun found = search(recipe("cross+chunked:window=20"), planted, 20, engine);
        SearchReport.FirstStage first = Objects.requireNonNull(found.report().firstStage());
        assertThat(first.depth()).isEqualTo(20);
        assertSame(first.pool(), search("bm25", planted, 20));
        assertThat(found.report().searchStats().get(SearchStat.VECTORS.key())).isBetween(9.0, 10.0);
    }

    /** Of windows and of whole passages together neither vectors nor bytes are those of one vector times how many there are. */
    @Test
    void vectorsAndBytesOfAllPartsAreSummed() {
        Map<String, Double> windows = searchStats("dense+chunked:window=20");
        double each = Objects.requireNonNull(windows.get(SearchStat.VECTORS.key()));
        assertThat(each).isBetween(9.0, 10.0);
        assertThat(windows).doesNotContainKey(SearchStat.BYTES.key());
        double bytes = recipe("dense").vectorBytes();
        String dense = MODELS.get("dense");
        Map<String, Double> both = searchStats("dense+chunked:window=20+fused:with=" + dense);
        assertThat(both.get(SearchStat.VECTORS.key())).isEqualTo(each + 1);
        assertThat(both.get(SearchStat.BYTES.key())).isEqualTo((each + 1) * bytes);
        Map<String, Double> small = searchStats("dense+quantised+fused:with=" + dense + "+chunked:window=20");
        assertThat(small.get(SearchStat.VECTORS.key())).isEqualTo(2 * each);
        assertThat(small.get(SearchStat.BYTES.key())).isEqualTo(each * (bytes / 4 + 4 + bytes));
        assertThat(searchStats("dense+fused")).doesNotContainKeys(SearchStat.VECTORS.key(), SearchStat.BYTES.key());
        Map<String, Double> tokens = searchStats("late");
        assertThat(searchStats("late+fused:with=" + dense))
                .containsEntry(SearchStat.VECTORS.key(), tokens.getOrDefault(SearchStat.VECTORS.key(), 0.0) + 1)
                .containsEntry(SearchStat.BYTES.key(), tokens.getOrDefault(SearchStat.BYTES.key(), 0.0) + bytes);
        assertThat(searchStats("bm25+chunked:window=20+chunked:window=10").get(SearchStat.VECTORS.key()))
                .isGreaterThan(each);
    }

    private static Map<String, Double> searchStats(String spec) {
        return search(recipe(spec), planted, 5, engine).report().searchStats();
    }

    private static Map<String, Number> usage(String spec, Engine keeping) {
        return search(recipe(spec), planted, 5, keeping).report().usage();
    }

    @Test
    void nothingIsEncodedTwice() {
        Engine keeping = new Engine(Device.CPU, 2, 0, true, CallLimit.none(), Sessions.in(temp.resolve("keeping")));
        int queries = planted.queries().size();
        assertThat(usage("dense", keeping)).containsEntry("texts_encoded", (long) PASSAGES + queries);
        for (String spec : List.of(
                "dense+quantised",
                "dense+quantised:numbers=binary",
                "dense+truncated-dimensions",
                "dense+truncated-dimensions+quantised")) {
            assertThat(usage(spec, keeping)).as(spec).containsEntry("texts_encoded", 0L);
        }
        assertThat(usage("dense+mirrored", keeping))
                .containsEntry("texts_encoded", (long) PASSAGES)
                .containsEntry("texts_from_cache", (long) PASSAGES + queries);
        assertThat(usage("dense+mirrored", keeping)).containsEntry("texts_encoded", 0L);
    }

    @Test
    void lateInteractionReadsACorpusOnceForAllSearches() {
        try (Searcher searcher = recipe("late").retriever().open(planted, engine)) {
            int half = planted.queries().size() / 2;
            searcher.search(planted.queries().subList(0, half), 5);
            RetrievedRun second = searcher.search(planted.queries().subList(half, 2 * half), 5);
            assertThat(second.report().usage())
                    .containsEntry("texts_encoded", (long) PASSAGES + 2L * half)
                    .containsEntry("texts_from_cache", 0L);
        }
    }

    @Test
    void threadsChangeNothing() {
        for (String spec : List.of("dense+late-chunked:window=20", "dense+mirrored", "dense+chunked:window=20")) {
            assertSame(
                    search(recipe(spec), planted, 10, Engine.quiet(1, Sessions.in(temp)))
                            .run(),
                    search(recipe(spec), planted, 10, Engine.quiet(4, Sessions.in(temp)))
                            .run());
        }
    }

    /** MiniLM itself, with a title and without a text. */
    @Tag("slow")
    @Test
    void miniLmIsTheSameInOneWindow() {
        Dataset few = new Dataset(
                DatasetCard.named("few"),
                Map.of(),
                Passages.of(List.of(
                        new Passage("a", "Foxes", "The fox sleeps under the bridge."),
                        new Passage("b", "", "An owl hunts mice at night. Nobody sees it."),
                        new Passage("c", "", ""))),
                List.of(new Query("q", "where does the fox sleep", null)),
                new Qrels(Map.of()));
        Run own = search("all-minilm-l6-v2", few, 3);
        assertSame(search("all-minilm-l6-v2+chunked:window=64", few, 3), own);
        assertSame(search("all-minilm-l6-v2+late-chunked:window=64", few, 3), own);
    }

    /** Two equal halves: the shape alone decides, and mirrored vectors do not depend on the order of sentences. */
    @Test
    void mirroredTextsAreAsGoodAsTheirImages() {
        Dataset both = new Dataset(
                DatasetCard.named("both"),
                Map.of(),
                Passages.of(List.of(
                        new Passage("a", "", "w1 w2 w3.\u2029w4 w5 w6."),
                        new Passage("b", "", "w4 w5 w6.\u2029w1 w2 w3."))),
                List.of(new Query("q", "w2", null)),
                new Qrels(Map.of()));
        Ranking plain = search("dense", both, 2).ranking(0);
        assertThat(plain.score(0)).isGreaterThan(plain.score(1) * 1.2f);
        for (String model : List.of("dense", "late")) {
            Ranking mirrored = search(model + "+mirrored", both, 2).ranking(0);
            assertThat(mirrored.score(0)).isEqualTo(mirrored.score(1));
        }
        Ranking dense = search("dense+mirrored", both, 2).ranking(0);
        assertThat(dense.score(0)).isCloseTo((plain.score(0) + plain.score(1)) / 2, Offset.offset(1e-6f));
    }
}

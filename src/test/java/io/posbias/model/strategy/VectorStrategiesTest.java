package io.posbias.model.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.net.StandInServer;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Span;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.Ranking;
import io.posbias.study.calibrate.PlantedBenchmark;
import io.posbias.study.calibrate.ReferenceSpec;
import io.posbias.study.calibrate.ReferenceSpec.ReferenceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VectorStrategiesTest {
    /** Words by id: a (3, -1), b (1, 1), c (1, -1), d (-1, -1), e (0.5, 2); special tokens are silent. */
    private static final float[] TABLE = new float[2 * StandIns.VOCABULARY];

    static {
        float[] words = {3, -1, 1, 1, 1, -1, -1, -1, 0.5f, 2};
        System.arraycopy(words, 0, TABLE, 2 * 5, words.length);
    }

    @TempDir
    Path temp;

    private Recipe recipe(boolean unit, String strategy) {
        Path folder = temp.resolve("model-" + unit);
        StandIns.write(
                folder,
                StandIns.lookup(TABLE),
                "max-tokens: 64\nsimilarity: dot\nnormalise: " + unit + "\ndimension: 2\npooling: mean\n");
        return RecipeBook.find(folder.resolve("recipe.yaml") + strategy);
    }

    private Engine engine() {
        return Engine.quiet(2, Sessions.in(temp));
    }

    private float[] vector(Recipe recipe, String text, Role role) {
        try (VectorSource encoder = recipe.oneVector().orElseThrow().open(engine())) {
            Vectors vectors = encoder.encode(List.of(text), role, "encode");
            return vectors.read(0).clone();
        }
    }

    private static void assertNear(float[] found, double... expected) {
        assertThat(found).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(found[i]).isCloseTo((float) expected[i], Offset.offset(1e-6f));
        }
    }

    /** The mean over [CLS], the word and [SEP] is a third of the word. */
    @Test
    void thePlainVectorIsAThirdOfTheWord() {
        assertNear(vector(recipe(false, ""), "e", Role.PASSAGE), 0.5 / 3, 2 / 3.0);
    }

    /** e: the greatest number, 2/3, is 127 steps; 0.5/3 is 31.75 of them, so 32. The query stays as it is. */
    @Test
    void eightBitsAreStepsOfTheGreatestNumber() {
        Recipe int8 = recipe(false, "+quantised");
        double step = 2 / 3.0 / 127;
        assertNear(vector(int8, "e", Role.PASSAGE), 32 * step, 127 * step);
        assertNear(vector(int8, "e", Role.QUERY), 0.5 / 3, 2 / 3.0);
        assertNear(vector(int8, "d", Role.PASSAGE), -1 / 3.0, -1 / 3.0);
        assertNear(vector(int8, "h", Role.PASSAGE), 0, 0);
        assertThat(int8.vectorBytes()).isEqualTo(2 + 4);
    }

    @Test
    void oneBitIsTheSign() {
        Recipe binary = recipe(false, "+quantised:numbers=binary");
        assertNear(vector(binary, "a", Role.PASSAGE), 1, -1);
        assertNear(vector(binary, "e", Role.PASSAGE), 1, 1);
        assertNear(vector(binary, "h", Role.PASSAGE), -1, -1);
        assertNear(vector(binary, "a", Role.QUERY), 1, -1 / 3.0);
        assertThat(binary.vectorBytes()).isEqualTo(1);
    }

    /** Asked for (3, -1), whose signs are (1, -1): b and d share one sign with it, c both; b is nearer to the query itself. */
    @Test
    void bitsFindCandidatesAndTheQueryItselfOrdersThem() {
        assertThat(found("+quantised:numbers=binary:rescored=1", 1)).containsExactly("c");
        assertThat(found("+quantised:numbers=binary:rescored=1", 2)).containsExactly("c", "d");
        assertThat(found("+quantised:numbers=binary:rescored=2", 2)).containsExactly("c", "b");
        assertThat(found("+quantised:numbers=binary", 3)).containsExactly("c", "b", "d");
    }

    /** A service is asked for each text once, also where nothing is kept: a query and three passages. */
    @Test
    void bitsAreMadeOfVectorsThatAreEncodedOnce() throws IOException {
        try (FakeApi api = new FakeApi(VectorStrategiesTest::equalVectors)) {
            Path file = Files.writeString(
                    temp.resolve("service.yaml"),
                    "name: service\nkind: embedding-api\nservice: openai\nmodel: m-1\nendpoint: " + api.address()
                            + "\ndimension: 2\nmax-tokens: 100\n");
            Recipe recipe = RecipeBook.find(file + "+quantised:numbers=binary");
            try (Searcher searcher = recipe.retriever().open(signs(), engine())) {
                searcher.search(signs().queries(), 2);
            }
            List<String> asked = api.seen().stream()
                    .flatMap(seen -> seen.texts("input").stream())
                    .toList();
            assertThat(asked).containsExactlyInAnyOrder("a", "b", "c", "d");
        }
    }

    private static String equalVectors(StandInServer.Seen seen) {
        return IntStream.range(0, seen.texts("input").size())
                .mapToObj(i -> "{\"index\": " + i + ", \"embedding\": [1, -2]}")
                .collect(Collectors.joining(", ", "{\"data\": [", "]}"));
    }

    private static Dataset signs() {
        return new Dataset(
                DatasetCard.named("signs"),
                Map.of(),
                Passages.of(List.of(new Passage("b", "", "b"), new Passage("c", "", "c"), new Passage("d", "", "d"))),
                List.of(new Query("q", "a", null)),
                new Qrels(Map.of()));
    }

    private List<String> found(String strategy, int k) {
        Dataset dataset = signs();
        try (Searcher searcher = recipe(false, strategy).retriever().open(dataset, engine())) {
            Ranking ranking = searcher.search(dataset.queries(), k).run().ranking(0);
            return Arrays.stream(ranking.passages())
                    .mapToObj(dataset.passages().ids()::id)
                    .toList();
        }
    }

    @Test
    void fewerNumbersAreScaledToLengthOneWhereAllWere() {
        assertNear(vector(recipe(true, "+truncated-dimensions"), "a", Role.PASSAGE), 1);
        assertNear(vector(recipe(true, "+truncated-dimensions:dimensions=1"), "d", Role.QUERY), -1);
        assertNear(vector(recipe(false, "+truncated-dimensions:dimensions=1"), "a", Role.PASSAGE), 1);
        assertNear(vector(recipe(false, "+truncated-dimensions:dimensions=1"), "e", Role.PASSAGE), 0.5 / 3);
        assertThat(recipe(true, "+truncated-dimensions").vectorBytes()).isEqualTo(4);
        assertThat(recipe(true, "+truncated-dimensions+quantised").vectorBytes())
                .isEqualTo(1 + 4);
        assertThat(recipe(true, "+truncated-dimensions+quantised:numbers=binary")
                        .vectorBytes())
                .isEqualTo(1);
        assertThatThrownBy(() -> recipe(true, "+truncated-dimensions+truncated-dimensions:dimensions=2"))
                .hasMessageContaining("has 1");
        assertThatThrownBy(
                        () -> recipe(true, "+truncated-dimensions:dimensions=3").retriever())
                .hasMessageContainingAll("\"dimensions\" is 3", "stand-in has 2");
    }

    /** b of length 1 and d of length 1 are opposite; their mean with a is not. */
    @Test
    void aMirroredVectorIsTheMeanOfBothAndAQueryIsItself() {
        Path folder = temp.resolve("primacy");
        String plain = new ReferenceSpec(ReferenceKind.PRIMACY, 2)
                .encoder(4, 64)
                .write(folder, PlantedBenchmark.WORDS)
                .toString();
        String text = "w1 w2.\u2029w3 w4.\u2029w5";
        float[] own = vector(RecipeBook.find(plain), text, Role.PASSAGE);
        float[] image = vector(RecipeBook.find(plain), "w5 w3 w4. w1 w2.", Role.PASSAGE);
        float[] mirrored = vector(RecipeBook.find(plain + "+mirrored"), text, Role.PASSAGE);
        assertThat(own).isNotEqualTo(image);
        for (int i = 0; i < own.length; i++) {
            assertThat(mirrored[i]).isEqualTo((own[i] + image[i]) / 2);
        }
        assertThat(vector(RecipeBook.find(plain + "+mirrored"), text, Role.QUERY))
                .isEqualTo(vector(RecipeBook.find(plain), text, Role.QUERY));
        assertThat(MirroredStrategy.mirrored("One sentence only.")).isEqualTo("One sentence only.");
        assertThat(MirroredStrategy.mirrored("狐狸住在桥下。猫头鹰捕鼠。")).isEqualTo("猫头鹰捕鼠。狐狸住在桥下。");
    }

    /** 200 words for a model of 64 tokens: several stretches. */
    private static String longText() {
        Random random = new Random(2);
        return String.join(
                " ",
                IntStream.range(0, 200).mapToObj(i -> "w" + random.nextInt(50)).toList());
    }

    private static List<Integer> words(String text) {
        List<Integer> starts = new ArrayList<>();
        for (int at = 0; at >= 0; at = text.indexOf(' ', at) < 0 ? -1 : text.indexOf(' ', at) + 1) {
            starts.add(at);
        }
        starts.add(text.length());
        return starts;
    }

    /** Windows of 8 words at every 4th. */
    private static List<String> windows(String text) {
        List<Integer> starts = words(text);
        List<String> windows = new ArrayList<>();
        for (int first = 0; first + 8 < starts.size(); first += 4) {
            windows.add(text.substring(starts.get(first), starts.get(first + 8)).strip());
        }
        return windows;
    }

    private static float[][] rows(float[] vectors, int dimension) {
        return IntStream.range(0, vectors.length / dimension)
                .mapToObj(row -> Arrays.copyOfRange(vectors, row * dimension, (row + 1) * dimension))
                .toArray(float[][]::new);
    }

    private float[][] late(ReferenceSpec planted, int threads, List<String> texts) {
        Path folder = temp.resolve(planted.model());
        Recipe recipe = RecipeBook.find(
                planted.encoder(4, 64).write(folder, PlantedBenchmark.WORDS) + "+late-chunked:window=8");
        try (TextEncoder encoder = ((Model.Encoder) recipe.retriever().model().orElseThrow())
                .opener()
                .apply(Engine.quiet(threads, Sessions.in(temp)))) {
            return StandIns.encode(encoder, Role.PASSAGE, texts.toArray(String[]::new));
        }
    }

    @Test
    void aPassagesVectorsDoNotDependOnTheOthersNorOnThreads() {
        ReferenceSpec planted = new ReferenceSpec(ReferenceKind.PRIMACY, 2);
        String text = longText();
        List<Integer> words = words(text);
        List<String> texts = new ArrayList<>();
        for (int last = 3; last < words.size(); last += 17) {
            texts.add(text.substring(0, words.get(last)).strip());
        }
        texts.add(text);
        float[][] together = late(planted, 1, texts);
        int dimension = together[0].length;
        assertThat(rows(together[texts.size() - 1], dimension))
                .hasNumberOfRows(windows(text).size());
        assertThat(late(planted, 4, texts)).isDeepEqualTo(together);
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, texts.size()).boxed().toList());
        Collections.shuffle(order, new Random(1));
        List<Integer> some = order.subList(0, 7);
        float[][] apart = late(planted, 2, some.stream().map(texts::get).toList());
        for (int i = 0; i < some.size(); i++) {
            assertThat(apart[i]).isEqualTo(together[some.get(i)]);
        }
    }

    /** In a model that weighs words by their place in the text, a window read alone is another vector. */
    @Test
    void aSearchTakesTheBestOfTheWindowsReadInTheirPassage() {
        ReferenceSpec planted = new ReferenceSpec(ReferenceKind.PRIMACY, 2);
        String text = longText();
        float[] all = late(planted, 2, List.of(text))[0];
        String plain = temp.resolve(planted.model()).resolve("recipe.yaml").toString();
        float[] asked = vector(RecipeBook.find(plain), "w7 w9", Role.QUERY);
        float[][] windows = rows(all, asked.length);
        double best = Arrays.stream(windows)
                .mapToDouble(window -> IntStream.range(0, window.length)
                        .mapToDouble(i -> window[i] * asked[i])
                        .sum())
                .max()
                .orElseThrow();
        assertThat(score(plain + "+late-chunked:window=8", text, "w7 w9")).isCloseTo(best, Offset.offset(1e-6));
        assertThat(score(plain + "+chunked:window=8", text, "w7 w9")).isNotCloseTo(best, Offset.offset(1e-2));
    }

    private double score(String model, String passage, String query) {
        Dataset dataset = new Dataset(
                DatasetCard.named("one"),
                Map.of(),
                Passages.of(List.of(new Passage("p", "", passage))),
                List.of(new Query("q", query, null)),
                new Qrels(Map.of()));
        try (Searcher searcher = RecipeBook.find(model).retriever().open(dataset, engine())) {
            return searcher.search(dataset.queries(), 1).run().ranking(0).score(0);
        }
    }

    /** Where tokens do not see one another, a late chunk is the vector of its words alone, whatever stretch it is in. */
    @Test
    void aLateChunkOfABagOfWordsIsTheBagOfItsWords() {
        ReferenceSpec planted = new ReferenceSpec(ReferenceKind.FLAT, 0);
        String text = longText();
        float[][] plain = late(planted, 2, windows(text));
        float[][] late = rows(late(planted, 2, List.of(text))[0], plain[0].length);
        assertThat(late).hasSameDimensionsAs(plain);
        for (int i = 0; i < late.length; i++) {
            for (int d = 0; d < late[i].length; d++) {
                assertThat(late[i][d]).as("window %d", i).isCloseTo(plain[i][d], Offset.offset(1e-5f));
            }
        }
    }

    @Test
    void aWindowIsTakenFromTheFirstStretchThatHoldsItWhole() {
        Recipe recipe = recipe(true, "+late-chunked:window=2");
        try (TextEncoder encoder = ((Model.Encoder) recipe.retriever().model().orElseThrow())
                .opener()
                .apply(engine())) {
            assertThat(encoder).isInstanceOf(LateChunkEncoder.class);
        }
        List<Span> tokens =
                IntStream.range(0, 20).mapToObj(i -> new Span(2 * i, 2 * i + 1)).toList();
        String text = "x ".repeat(20).strip();
        Stretches stretches = new Stretches(6, 2, new TextWindows(2, 1, false, false, all -> tokens));
        assertThat(stretches.of(text, tokens, new Span(0, 4))).isEqualTo(new Span(0, 12));
        assertThat(stretches.of(text, tokens, new Span(8, 12))).isEqualTo(new Span(0, 12));
        // Tokens 5 and 6: the second stretch has 4 to 9.
        assertThat(stretches.of(text, tokens, new Span(10, 14))).isEqualTo(new Span(8, 20));
        assertThat(stretches.of(text, tokens, new Span(36, 39))).isEqualTo(new Span(32, 39));
        assertThat(stretches.of(text, tokens.subList(0, 6), new Span(0, 4))).isEqualTo(new Span(0, 39));
    }

    /** Windows of one text in one stretch are read together, and a text of one window as the model reads it. */
    @Test
    void whatIsReadForWindowsIsTheirStretches() {
        List<Span> tokens =
                IntStream.range(0, 20).mapToObj(i -> new Span(2 * i, 2 * i + 1)).toList();
        String text = "x ".repeat(20).strip();
        List<String> texts = List.of("short", text);
        TextWindows windows = new TextWindows(
                3, 3, false, false, one -> one.equals(text) ? tokens.subList(0, 9) : tokens.subList(0, 1));
        Stretches.StretchCut cut = new Stretches(6, 3, windows).cut(texts);
        assertThat(cut.texts()).containsExactly(text.substring(0, 12), text.substring(6));
        assertThat(cut.counts()).containsExactly(1, 3);
        assertThat(cut.places())
                .containsExactly(
                        List.of(new Stretches.StretchPlace(1, 0), new Stretches.StretchPlace(1, 1)),
                        List.of(new Stretches.StretchPlace(1, 2)));
        assertThat(cut.parts())
                .containsExactly(
                        List.of(new DenseEncoder.TokenRange(0, 6), new DenseEncoder.TokenRange(6, 12)),
                        List.of(new DenseEncoder.TokenRange(6, text.length() - 6)));
        assertThat(cut.others()).containsExactly(0);
    }
}

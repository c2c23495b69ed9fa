package io.posbias.model.encode.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.model.encode.StandInRerankers.Logits;
import io.posbias.model.encode.StandInTokenizers;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.onnx.OnnxModel;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.model.encode.onnx.PairRow;
import io.posbias.model.encode.onnx.TokenBatch;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Tokenizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CausalRerankerTest {
    private static final List<String> WORDS =
            List.of("ask", "judge", "a", "b", "c", "d", "end", "yes", "no", "{", "}", "query", "document", ":");

    /** The five special tokens come first. */
    private static final int VOCABULARY = 19;

    private static final String WHOLE = """
            max-tokens: 10
            prefix: "ask ask"
            query-template: "judge {query} : {document}"
            suffix: "end"
            """;
    private static final String YES_NO = "\"yes\": \"yes\"\n\"no\": \"no\"\n";

    private record Prompt(@JsonUnwrapped CausalPrompt.PromptSettings prompt, int maxTokens) {}

    @TempDir
    Path temp;

    private static int id(String word) {
        return 5 + WORDS.indexOf(word);
    }

    private static int[] ids(String text) {
        return Arrays.stream(text.split(" ", -1))
                .mapToInt(CausalRerankerTest::id)
                .toArray();
    }

    private Tokenizer tokenizer() {
        return Tokenizer.read("tokenizer.json", StandInTokenizers.bare(WORDS), Sessions.shared());
    }

    private static Fields fields(String settings) {
        return Json.parseYaml(Path.of("recipe.yaml"), settings.getBytes(StandardCharsets.UTF_8));
    }

    private PairRow row(String settings, String query, String passage) {
        try (Tokenizer tokenizer = tokenizer()) {
            Fields fields = fields(settings);
            return Json.settings(fields, Prompt.class)
                    .prompt()
                    .with(tokenizer, fields.integer("max-tokens"))
                    .row(new PairScorer.TextPair(query, passage));
        }
    }

    /** The passage's end is cut first, then the query; {@code -1} characters are the whole passage. */
    @ParameterizedTest
    @CsvSource({
        "a, b c, ask ask judge a : b c end, -1, false",
        "a b, c c d d d, ask ask judge a b : c c d end, 5, false",
        "a b, c c d, ask ask judge a b : c c d end, -1, false",
        "a a a a a a a a a, c, ask ask judge a a a a a a end, 0, true",
        "a a a a a a, c, ask ask judge a a a a a a end, 0, false"
    })
    void theQueryIsCutAfterThePassage(String query, String passage, String prompt, int seen, boolean queryCut) {
        PairRow pair = row(WHOLE, query, passage);
        assertThat(pair.row().ids()).isEqualTo(ids(prompt));
        assertThat(pair.row().seen()).isEqualTo(seen < 0 ? TokenRow.WHOLE : seen);
        assertThat(pair.queryCut()).isEqualTo(queryCut);
    }

    @Test
    void aQueryBehindThePassageIsTheFirstToBeCut() {
        String turned = WHOLE.replace("judge {query} : {document}", "judge {document} : {query}");
        PairRow pair = row(turned, "a a a", "b b b");
        assertThat(pair.row().ids()).isEqualTo(ids("ask ask judge b b b : a a end"));
        assertThat(pair.row().seen()).isEqualTo(TokenRow.WHOLE);
        assertThat(pair.queryCut()).isTrue();
        assertThat(row(turned, "a a", "b b b").queryCut()).isFalse();
    }

    @Test
    void prefixAndSuffixStayWhateverIsCut() {
        PairRow pair = row(WHOLE.replace("10", "4"), "a a", "c");
        assertThat(pair.row().ids()).isEqualTo(ids("ask ask judge end"));
    }

    @Test
    void bracesInTextsStayText() {
        PairRow pair = row(WHOLE.replace("10", "32"), "{document}", "{query} {document}");
        assertThat(pair.row().ids()).isEqualTo(ids("ask ask judge { document } : { query } { document } end"));
        assertThat(row(WHOLE.replace("10", "32"), "{query}", "a").row().ids())
                .isEqualTo(ids("ask ask judge { query } : a end"));
    }

    private static final String PARTS = """
            max-tokens: 12
            begin: "[CLS]"
            parts: ["ask {query}", ":", "judge {document}", ":", "end"]
            """;

    @Test
    void partsStandOneBehindAnotherBehindTheBeginning() {
        int[] expected = ids("ask ask a : judge b c : end");
        expected[0] = 2;
        PairRow pair = row(PARTS, "a", "b c");
        assertThat(pair.row().ids()).isEqualTo(expected);
        assertThat(pair.row().seen()).isEqualTo(TokenRow.WHOLE);
    }

    @Test
    void onlyThePartWithThePassageIsCut() {
        PairRow pair = row(PARTS, "a", "b c b c b c b");
        assertThat(pair.row().ids()).endsWith(ids("a : judge b c b c b : end")).hasSize(12);
        assertThat(pair.row().seen()).isEqualTo("b c b c b".length());
        assertThat(pair.queryCut()).isFalse();
    }

    @Test
    void thePartWithTheQueryIsCutAtItsShare() {
        PairRow pair = row(PARTS + "query-share: 0.25\n", "a a a a a", "b");
        int[] expected = ids("ask ask a a : judge b : end");
        expected[0] = 2;
        assertThat(pair.row().ids()).isEqualTo(expected);
        assertThat(pair.queryCut()).isTrue();
    }

    @Test
    void bracesInPartsStayText() {
        assertThat(row(PARTS.replace("12", "32"), "a", "{query}").row().ids())
                .endsWith(ids("ask a : judge { query } : end"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "query-share: 1|give one",
                "query-template: \"{query} {document}\"\\nparts: [\"{query}\", \"{document}\"]|cannot be "
                        + "combined with parts",
                "query-template: \"{document}\"|does not hold {query} once",
                "query-template: \"{query}\"|does not hold {document} once",
                "query-template: \"{query} {document} {document}\"|does not hold {document} once",
                "parts: [\"{query}\", \"{document}\", \"{document}\"]|does not hold {document} once",
                "parts: [\"{query}\", \"{document}\"]\\nsuffix: x|put it among the parts",
            })
    void promptsThatCannotBeAreRefused(String settings, String message) {
        Fields fields = fields(settings.replace("\\n", "\n"));
        assertThatThrownBy(() -> Json.settings(fields, CausalPrompt.PromptSettings.class))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining(message);
    }

    private Fields recipe(byte[] graph, String settings) throws IOException {
        return Json.readYaml(StandInRerankers.write(
                temp.resolve("model"), "causal", graph, StandInTokenizers.bare(WORDS), settings));
    }

    private float[] scores(byte[] graph, String settings, String... passages) throws IOException {
        Fields fields = recipe(graph, settings);
        List<PairScorer.TextPair> pairs = new ArrayList<>();
        for (String passage : passages) {
            pairs.add(new PairScorer.TextPair("a", passage));
        }
        float[] scores = new float[passages.length];
        try (PairScorer scorer = new GraphScorer(StandIns.answers(fields), StandIns.engine(temp, 1, 0))) {
            scorer.prepare(pairs).run(batch -> batch.forEach(one -> scores[one.pair()] = one.score()));
        }
        return scores;
    }

    /** Of the prompt's words only the passage's count: columns are the logits of these ids, with 3 and 1 for b. */
    private static float[] table(int width, int yes, int no) {
        float[] table = new float[VOCABULARY * width];
        table[id("b") * width + yes] = 3;
        table[id("c") * width + yes] = -2;
        if (no >= 0) {
            table[id("b") * width + no] = 1;
            table[id("d") * width + no] = 5;
        }
        return table;
    }

    private static double sigmoid(double logit) {
        return 1 / (1 + Math.exp(-logit));
    }

    private static void close(float[] scores, double... expected) {
        assertThat(scores).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) scores[i]).isCloseTo(expected[i], within(1e-6));
        }
    }

    @Test
    void twoLogitsAreNoAndYesAndBecomeTheProbabilityOfYes() throws IOException {
        byte[] graph = StandInRerankers.causal(Logits.LAST, 2, table(2, 1, 0));
        close(scores(graph, WHOLE + YES_NO, "b", "d", "b c b"), sigmoid(2), sigmoid(-5), sigmoid(4 - 2));
        close(scores(graph, WHOLE + YES_NO + "activation: none\n", "b", "d"), 3, 0);
        close(scores(graph, WHOLE + YES_NO + "activation: sigmoid\n", "b", "d"), sigmoid(3), 0.5);
    }

    @Test
    void oneLogitIsTheScore() throws IOException {
        byte[] graph = StandInRerankers.causal(Logits.LAST, 1, table(1, 0, -1));
        close(scores(graph, WHOLE + "\"yes\": \"yes\"\n", "b", "c", "b b"), 3, -2, 6);
        close(scores(graph, WHOLE + "\"yes\": \"yes\"\nactivation: sigmoid\n", "b"), sigmoid(3));
    }

    /** The ids of the answers are the tokenizer's. */
    @ParameterizedTest
    @EnumSource(Logits.class)
    void ofAllLogitsThoseOfTheAnswersAreReadAtTheLastPosition(Logits logits) throws IOException {
        byte[] graph = StandInRerankers.causal(logits, VOCABULARY, table(VOCABULARY, id("yes"), id("no")));
        String settings = WHOLE + YES_NO + "logits: " + (logits == Logits.ALL ? "all" : "last") + "\n";
        close(scores(graph, settings, "b", "d", "b c b d"), sigmoid(2), sigmoid(-5), sigmoid(4 - 7));
        String swapped = settings.replace("\"yes\": \"yes\"\n\"no\": \"no\"", "\"yes\": \"no\"\n\"no\": \"yes\"");
        close(scores(graph, swapped, "b"), sigmoid(-2));
        close(scores(graph, settings.replace("\"no\": \"no\"\n", "activation: none\n"), "b"), 3);
    }

    /** Rows of different lengths share a batch on cards only; here they are put together by hand. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void paddingOnEitherSideChangesNothing(boolean left) throws IOException {
        String settings = WHOLE + YES_NO + "logits: all\n";
        byte[] graph = StandInRerankers.causal(Logits.ALL, VOCABULARY, table(VOCABULARY, id("yes"), id("no")));
        Fields fields = recipe(graph, settings);
        try (Tokenizer tokenizer = tokenizer();
                OnnxModel model =
                        StandIns.answers(fields).named().files().load(OnnxRuntime.onCpu(Sessions.shared()), temp)) {
            GraphScorer.PairScoring kind = StandIns.answers(fields).kind(tokenizer);
            List<TokenRow> rows = new ArrayList<>();
            for (String passage : List.of("b", "b c b d", "d d")) {
                rows.add(kind.row(new PairScorer.TextPair("a", passage)).row());
            }
            TokenBatch batch = new TokenBatch(rows, new TokenBatch.Padding(0, left));
            assertThat(batch.offset(0)).isEqualTo(left ? 3 : 0);
            float[] logits = model.run(batch, "logits", output -> new float[] {
                (float) kind.logit(batch, 0, output),
                (float) kind.logit(batch, 1, output),
                (float) kind.logit(batch, 2, output)
            });
            close(logits, 2, 4 - 7, -10);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "LAST, 3, yes-no, 'the recipe says logits: yes-no, 2 for each pair; the graph gives 1 x 3'",
        "ALL, 2, yes-no, 'the recipe says logits: yes-no, 2 for each pair; the graph gives 8 x 2'",
        "LAST, 19, all, 'the recipe says logits: all; the graph gives 1 x 19'",
        "ALL, 19, last, 'the recipe says logits: last; the graph gives 8 x 19'",
        "LAST, 5, last, 'the recipe says logits: last; the graph gives 1 x 5'",
    })
    void aGraphThatGivesSomethingElseIsRefused(Logits logits, int width, String said, String message)
            throws IOException {
        byte[] graph = StandInRerankers.causal(logits, width, new float[VOCABULARY * width]);
        assertThatThrownBy(() -> scores(graph, WHOLE + YES_NO + "logits: " + said + "\n", "b c"))
                .isInstanceOf(PosbiasException.class)
                .hasMessage(message);
    }

    @Test
    void aSoftmaxOfYesAloneIsRefused() throws IOException {
        Fields fields = recipe(
                StandInRerankers.causal(Logits.LAST, 1, table(1, 0, -1)),
                WHOLE + "\"yes\": \"yes\"\nactivation: softmax\n");
        assertThatThrownBy(() -> StandIns.answers(fields)).hasMessageContaining("is softmax, of yes alone");
    }

    @Test
    void spacesDifferWithThePrompt() throws IOException {
        byte[] graph = StandInRerankers.causal(Logits.LAST, 2, table(2, 1, 0));
        List<String> spaces = new ArrayList<>();
        for (Map.Entry<String, String> change :
                Map.of("judge", "ask", "end", "no", "10", "11").entrySet()) {
            Fields fields = recipe(graph, WHOLE.replace(change.getKey(), change.getValue()) + YES_NO);
            try (PairScorer scorer = new GraphScorer(StandIns.answers(fields), StandIns.engine(temp, 1, 0))) {
                spaces.add(scorer.space());
            }
        }
        assertThat(spaces).doesNotHaveDuplicates();
        assertThat(Files.exists(temp.resolve("model/causal.yaml"))).isTrue();
    }
}

package io.posbias.model.encode.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class DenseEncoderTest {
    private static final byte[] LOOKUP = StandIns.lookup(StandIns.table(StandIns.VOCABULARY));

    @TempDir
    Path temp;

    private float[][] encode(byte[] graph, String settings, Role role, String... texts) {
        try (DenseEncoder encoder = StandIns.open(temp, graph, StandIns.PLAIN + settings)) {
            return StandIns.encode(encoder, role, texts);
        }
    }

    /** Ids of "a b c": 2 5 6 7 3. */
    @ParameterizedTest
    @CsvSource({"mean, 4.6", "cls, 2", "last, 3", "max, 7"})
    void poolsTokens(String pooling, float expected) {
        assertThat(encode(LOOKUP, "pooling: " + pooling, Role.PASSAGE, "a b c", "h"))
                .satisfies(vectors -> assertThat(vectors[0]).containsExactly(expected, 1));
    }

    @Test
    void theMaximumIsOfEachPlaceAloneAndCanLeaveOutAPrompt() {
        float[] table = {0, 0, 0, 0, -9, -9, -8, -7, -6, -5, 4, -1, 2, 3, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9};
        // [CLS] a b c [SEP] are rows 2, 5, 6, 7 and 3; "h", the prompt, is row 12.
        assertThat(encode(StandIns.lookup(table), "pooling: max", Role.PASSAGE, "a b c")[0])
                .containsExactly(4, 3);
        String settings = "pooling: max\nquery-prompt: 'h '\n";
        assertThat(encode(StandIns.lookup(table), settings, Role.QUERY, "a b c")[0])
                .containsExactly(9, 9);
        assertThat(encode(StandIns.lookup(table), settings + "pool-prompt: false\n", Role.QUERY, "a b c")[0])
                .containsExactly(4, 3);
    }

    /** As jina-embeddings-v3's task_id: the graph adds the number to every vector. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aGraphCanTakeTheRoleOfItsTexts(boolean scalar) {
        String input = "role-input: {name: task_id, query: 10, document: 20}\npooling: cls\n";
        assertThat(encode(StandIns.byTask(scalar), input, Role.QUERY, "a", "a b")[1])
                .containsExactly(12, 11);
        assertThat(encode(StandIns.byTask(scalar), input, Role.PASSAGE, "a", "a b")[1])
                .containsExactly(22, 21);
        assertThatThrownBy(() -> encode(StandIns.byTask(scalar), "pooling: cls\n", Role.PASSAGE, "a"))
                .hasMessageContaining("has an unknown input \"task_id\"")
                .hasMessageContainingAll("pool-mask-input", "role-input");
        assertThatThrownBy(() -> encode(StandIns.byTask(scalar), "role-input: {name: task_id}", Role.QUERY, "a"))
                .hasMessageContaining("field \"role-input.query\"");
    }

    @Test
    void aGraphThatPoolsIsLeftAlone() {
        assertThat(encode(StandIns.pooled(), "pooling: none", Role.PASSAGE, "a b c")[0])
                .containsExactly(23, 5);
    }

    @Test
    void promptsGoBeforeTheTextsOfTheirRole() {
        String prompts = "query-prompt: 'h '\ndocument-prompt: 'g '\npooling: mean\n";
        assertThat(encode(LOOKUP, prompts, Role.QUERY, "a")[0][0]).isEqualTo((2 + 12 + 5 + 3) / 4f);
        assertThat(encode(LOOKUP, prompts, Role.PASSAGE, "a")[0][0]).isEqualTo((2 + 11 + 5 + 3) / 4f);
    }

    @Test
    void aPromptsTokensCanStayOutOfTheMean() {
        String settings = "document-prompt: 'h g '\npool-prompt: false\n";
        assertThat(encode(LOOKUP, settings, Role.PASSAGE, "a b")[0][0]).isEqualTo((5 + 6 + 3) / 3f);
        assertThat(encode(LOOKUP, settings, Role.QUERY, "a b")[0][0]).isEqualTo((2 + 5 + 6 + 3) / 4f);
    }

    /** GPT-2's tokenizer adds no special tokens. */
    @Test
    void aTextWithoutTokensHasAVectorOfZeros() throws IOException {
        Fields recipe = StandIns.write(temp, LOOKUP, StandIns.PLAIN + "pooling: weighted-mean\n");
        Path file = temp.resolve("tokenizer.json");
        ObjectNode tokenizer = (ObjectNode) Json.mapper().readTree(Files.readAllBytes(file));
        Files.writeString(file, tokenizer.putNull("post_processor").toString());
        try (DenseEncoder encoder = new DenseEncoder(StandIns.dense(recipe), StandIns.engine(temp, 2, 0))) {
            assertThat(StandIns.encode(encoder, Role.PASSAGE, "", "a")).isDeepEqualTo(new float[][] {{0, 0}, {5, 1}});
            assertThat(encoder.query("")).containsExactly(0, 0);
        }
    }

    @Test
    void normalisedVectorsHaveLengthOne() {
        float[] vector;
        try (DenseEncoder encoder = StandIns.open(temp, LOOKUP, "max-tokens: 64\npooling: cls\n")) {
            vector = StandIns.encode(encoder, Role.QUERY, "a")[0];
        }
        assertThat(vector[0]).isCloseTo((float) (2 / Math.sqrt(5)), within(1e-7f));
        assertThat(vector[1]).isCloseTo((float) (1 / Math.sqrt(5)), within(1e-7f));
    }

    @Test
    void appendedTokensAreTheLast() {
        assertThat(encode(LOOKUP, "pooling: last\nappend: ['[MASK]']", Role.QUERY, "a")[0][0])
                .isEqualTo(4);
        assertThat(encode(LOOKUP, "pooling: mean\nappend: ['[SEP]']", Role.QUERY, "a")[0][0])
                .isEqualTo((2 + 5 + 3) / 3f);
    }

    @Test
    void everyKnownInputIsFilled() {
        try (DenseEncoder encoder = StandIns.open(temp, StandIns.echo(), StandIns.PLAIN + "pooling: last\n")) {
            // [SEP] of a text of two words: the fourth token, attended, of type 0, no past.
            assertThat(StandIns.encode(encoder, Role.QUERY, "a b")[0]).containsExactly(3, 1, 0, 3, 0);
        }
    }

    @Test
    void graphsMayTake32Bits() {
        assertThat(encode(StandIns.narrow(), "pooling: mean", Role.PASSAGE, "a b c")[0][0])
                .isEqualTo(4.6f);
    }

    @Test
    void weightsMayStandInAnotherFile() throws IOException {
        ByteBuffer weights = ByteBuffer.allocate(4 * 2 * StandIns.VOCABULARY).order(ByteOrder.LITTLE_ENDIAN);
        weights.asFloatBuffer().put(StandIns.table(StandIns.VOCABULARY));
        Files.write(temp.resolve("weights.bin_data"), weights.array());
        assertThat(encode(
                        StandIns.external("weights.bin_data"),
                        "external-data: [weights.bin_data]\n",
                        Role.PASSAGE,
                        "a b c")[0][0])
                .isEqualTo(4.6f);
    }

    @Test
    void queriesMayHaveAGraphOfTheirOwn() throws IOException {
        float[] doubled = StandIns.table(StandIns.VOCABULARY);
        for (int i = 0; i < doubled.length; i++) {
            doubled[i] *= 2;
        }
        Files.write(temp.resolve("query.onnx"), StandIns.lookup(doubled));
        String settings = "query-encoder:\n  onnx:\n    float32: query.onnx\n";
        assertThat(encode(LOOKUP, settings, Role.PASSAGE, "a b c")[0]).containsExactly(4.6f, 1);
        assertThat(encode(LOOKUP, settings, Role.QUERY, "a b c")[0]).containsExactly(9.2f, 2);
    }

    @Test
    void paddingAtEitherSideChangesNothing() {
        try (DenseEncoder encoder = StandIns.open(temp, StandIns.echo(), StandIns.PLAIN + "pooling: mean\n")) {
            TextRows rows = encoder.rows(Role.PASSAGE);
            List<TokenRow> batch = List.of(rows.row("a b c d"), rows.row("e"), rows.row(""));
            List<float[]> right = encoder.vectors(batch, Role.PASSAGE, false);
            List<float[]> left = encoder.vectors(batch, Role.PASSAGE, true);
            for (int i = 0; i < batch.size(); i++) {
                float[] alone = encoder.vectors(List.of(batch.get(i)), Role.PASSAGE, false)
                        .getFirst();
                assertThat(right.get(i)).containsExactly(alone);
                assertThat(left.get(i)).containsExactly(alone);
            }
        }
    }

    @Test
    void aBiasedReferenceIsTheSameUnderPaddingAtEitherSide() {
        Path recipe =
                new ReferenceEncoder("r", ReferenceEncoder.Shape.PRIMACY, 2, 16, 1, 64).write(temp, StandIns.WORDS);
        Fields fields = io.posbias.base.json.Json.readYaml(recipe);
        try (DenseEncoder encoder = new DenseEncoder(StandIns.dense(fields), StandIns.engine(temp, 1, 0))) {
            TextRows rows = encoder.rows(Role.PASSAGE);
            List<TokenRow> batch = List.of(rows.row("a b c d e f"), rows.row("g h"));
            float[] alone =
                    encoder.vectors(batch.subList(1, 2), Role.PASSAGE, false).getFirst();
            assertThat(encoder.vectors(batch, Role.PASSAGE, false).get(1)).containsExactly(alone, within(1e-6f));
            assertThat(encoder.vectors(batch, Role.PASSAGE, true).get(1)).containsExactly(alone, within(1e-6f));
        }
    }

    @Test
    void theSameWordsAndSeedGiveTheSameFiles() throws IOException {
        for (String folder : List.of("one", "two")) {
            new ReferenceEncoder("r", ReferenceEncoder.Shape.MIDDLE, 1, 8, 5, 64)
                    .write(temp.resolve(folder), WordTokenizer.words("A fox, an owl: the fox!"));
        }
        for (String file : List.of("model.onnx", "tokenizer.json", "recipe.yaml")) {
            assertThat(temp.resolve("two").resolve(file))
                    .hasSameBinaryContentAs(temp.resolve("one").resolve(file));
        }
        assertThat(Files.readString(temp.resolve("one/tokenizer.json")))
                .contains("\"fox\" : 6")
                .contains("\"the\" : 9");
    }

    @Test
    void aTextWithoutTokensIsOnlyItsSpecialOnes() {
        assertThat(encode(LOOKUP, "pooling: mean", Role.PASSAGE, "", " ")[0][0]).isEqualTo(2.5f);
    }

    /** With the stack that Java gives a thread the process dies in here. */
    @Test
    void graphsMayBeManyOperatorsDeep() {
        assertThat(encode(StandIns.deep(5_000), "pooling: mean", Role.PASSAGE, "a b c")[0][0])
                .isEqualTo(4.6f);
    }
}

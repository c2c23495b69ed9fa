package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.inside.Family;
import io.posbias.model.inside.TinyModels;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Forward passes of tiny random models against scripts/tests/transformer_golden.py, which computes them with numpy, and
 * pooling against a calculation by hand.
 */
@Tag("slow")
class TransformerTest {
    private static final double CLOSE = 1e-5;
    private static final int WIDTH = 16;

    @TempDir
    Path temp;

    private static int[] numbers(JsonNode list) {
        return list.valueStream().mapToInt(JsonNode::asInt).toArray();
    }

    static TokenRow row(JsonNode row) {
        return new TokenRow(numbers(row.path("ids")), numbers(row.path("types")), 0, 0, TokenRow.WHOLE);
    }

    /** Row after row, tokens before padding only. */
    private static void assertNumpys(WhiteBox model, List<JsonNode> expected) {
        try (NDManager workspace = model.workspace()) {
            Batch batch =
                    model.batch(expected.stream().map(TransformerTest::row).toList(), workspace);
            Transformer transformer = model.transformer(Role.PASSAGE);
            float[] hidden = transformer
                    .hidden(transformer.embed(batch.ids()), batch.padding())
                    .toFloatArray();
            int columns = hidden.length / expected.size() / WIDTH;
            for (int r = 0; r < expected.size(); r++) {
                JsonNode tokens = expected.get(r).path("hidden");
                for (int t = 0; t < tokens.size(); t++) {
                    for (int i = 0; i < WIDTH; i++) {
                        assertThat(hidden[(r * columns + t) * WIDTH + i])
                                .as("row %s of %s, token %s, number %s", r, expected.size(), t, i)
                                .isCloseTo((float) tokens.path(t).path(i).asDouble(), within((float) CLOSE));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void hiddenStatesAreNumpysAloneAndInAPaddedBatch(Family family) {
        List<JsonNode> expected = Json.mapper()
                .readTree(TinyModels.golden(family, ".json"))
                .valueStream()
                .toList();
        try (WhiteBox model = WhiteBoxes.open(temp, TinyModels.write(temp, family, ""))) {
            for (JsonNode row : expected) {
                assertNumpys(model, List.of(row));
            }
            assertNumpys(model, expected);
        }
    }

    /** Two rows of three and two tokens, of which the first is the prompt's; what is in the padding must not count. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pooling: cls; 1, -2; 7, 8",
                "pooling: mean; 3, 0; 8, 6",
                "pooling: max; 5, 6; 9, 8",
                "pooling: last; 3, 6; 9, 4",
                "pooling: mean, pool-prompt: false; 4, 1; 9, 4",
                "pooling: max, pool-prompt: false; 5, 6; 9, 4",
            })
    void poolingIsThatOfTheRecipe(String settings, String first, String second) {
        String fields = settings.replace(", ", "\n") + "\nnormalise: false";
        try (WhiteBox model = WhiteBoxes.open(temp, TinyModels.write(temp, Family.BERT, fields));
                NDManager workspace = model.workspace()) {
            Batch batch = model.batch(List.of(promptAnd(2), promptAnd(1)), workspace);
            float[] hidden = {1, -2, 5, -4, 3, 6, 7, 8, 9, 4, 100, -100};
            float[] vectors = model.vectors(workspace.create(hidden, new Shape(2, 3, 2)), batch)
                    .toFloatArray();
            assertThat(vectors).containsExactly(numbers(first + ", " + second));
        }
    }

    private static float[] numbers(String list) {
        float[] numbers = new float[4];
        String[] words = list.split(", ", -1);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Float.parseFloat(words[i]);
        }
        return numbers;
    }

    private static TokenRow promptAnd(int tokens) {
        return new TokenRow(new int[1 + tokens], new int[1 + tokens], 0, 1, TokenRow.WHOLE);
    }

    @Test
    void vectorsAreScaledUnlessTheRecipeSaysOtherwise() {
        try (WhiteBox model = WhiteBoxes.open(temp, TinyModels.write(temp, Family.BERT, "pooling: cls"));
                NDManager workspace = model.workspace()) {
            Batch batch = model.batch(List.of(promptAnd(0), promptAnd(0)), workspace);
            float[] vectors = model.vectors(workspace.create(new float[] {3, -4, 0, 0}, new Shape(2, 1, 2)), batch)
                    .toFloatArray();
            assertThat(vectors).containsExactly(0.6f, -0.8f, 0, 0);
        }
    }

    @Test
    void aTextLongerThanThePositions() {
        TokenRow row = new TokenRow(new int[13], new int[13], 0, 0, TokenRow.WHOLE);
        try (WhiteBox model = WhiteBoxes.open(temp, TinyModels.write(temp, Family.ROBERTA, ""));
                NDManager workspace = model.workspace()) {
            Batch batch = model.batch(List.of(row), workspace);
            assertThatThrownBy(() -> model.encode(model.transformer(Role.PASSAGE), batch))
                    .isInstanceOf(PosbiasException.class)
                    .hasMessageContainingAll("13 tokens", "12 positions", "max-tokens");
        }
    }
}

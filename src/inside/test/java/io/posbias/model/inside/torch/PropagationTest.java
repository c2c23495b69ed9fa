package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDManager;
import io.posbias.base.json.Json;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.inside.BiasShares;
import io.posbias.model.inside.Family;
import io.posbias.model.inside.TinyModels;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The parts of tiny random models' vectors against numpy, which goes through them in loops (scripts/tests/decompx_golden.py). */
@Tag("slow")
class PropagationTest {
    private static final double CLOSE = 1e-5;

    @TempDir
    Path temp;

    @ParameterizedTest
    @CsvSource({
        "BERT, ABSDOT, cls", "BERT, ABSDOT, mean", "BERT, EQUAL, cls", "BERT, EQUAL, mean",
        "ROBERTA, ABSDOT, cls", "ROBERTA, ABSDOT, mean", "ROBERTA, EQUAL, cls", "ROBERTA, EQUAL, mean",
    })
    void partsAreNumpys(Family family, BiasShares biases, String pooling) {
        JsonNode golden =
                Json.mapper().readTree(TinyModels.resource("decompx.json")).path(Suggestions.word(family));
        try (WhiteBox model = WhiteBoxes.open(temp, TinyModels.write(temp, family, "pooling: " + pooling))) {
            for (JsonNode row : golden) {
                TokenRow tokens =
                        new TokenRow(numbers(row.path("ids")), numbers(row.path("types")), 0, 0, TokenRow.WHOLE);
                assertClose(
                        parts(model, tokens, biases),
                        row.path(biases.toString()).path(pooling));
            }
        }
    }

    private static float[] parts(WhiteBox model, TokenRow row, BiasShares biases) {
        try (NDManager workspace = model.workspace()) {
            Bert bert = (Bert) model.transformer(Role.PASSAGE);
            // Two sources a block, so that rows of an odd number end with a smaller one.
            long floats = 2L * row.size() * 20;
            return Propagation.of(bert, model.batch(List.of(row), workspace), biases, 2, floats)
                    .toFloatArray();
        }
    }

    private static int[] numbers(JsonNode list) {
        return list.valueStream().mapToInt(JsonNode::asInt).toArray();
    }

    private static void assertClose(float[] found, JsonNode rows) {
        double[] expected = rows.valueStream()
                .flatMap(JsonNode::valueStream)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) found[i]).as("number " + i).isCloseTo(expected[i], within(CLOSE));
        }
    }
}

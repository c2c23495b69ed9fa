package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.posbias.base.json.Json;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.inside.Family;
import io.posbias.model.inside.TinyModels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Calibrated forward passes of tiny models against scripts/tests/transformer_golden.py, which computes them with numpy. */
@Tag("slow")
class CalibratedRowsTest {
    private static final int WIDTH = 16;

    @TempDir
    Path temp;

    static Stream<JsonNode> cases() {
        return Json.mapper().readTree(TinyModels.resource("calibrated.json")).valueStream();
    }

    private static Family family(JsonNode expected) {
        return Family.valueOf(expected.path("family").asString().toUpperCase(Locale.ROOT));
    }

    static List<TokenRow> rows(Family family) {
        return Json.mapper()
                .readTree(TinyModels.golden(family, ".json"))
                .valueStream()
                .map(TransformerTest::row)
                .toList();
    }

    static String recipe(JsonNode expected) {
        return "pooling: %s\nnormalise: false\nattention-calibration: {basket: %s, strength: %s, layers: %s}\n"
                .formatted(
                        expected.path("pooling").asString(),
                        expected.path("basket").asInt(),
                        expected.path("strength").asDouble(),
                        expected.path("layers").asDouble());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void vectorsAreNumpysAloneAndInAPaddedBatch(JsonNode expected) {
        Family family = family(expected);
        List<TokenRow> rows = rows(family);
        try (WhiteBox model = WhiteBoxes.open(temp, TinyModels.write(temp, family, recipe(expected)));
                NDManager workspace = model.workspace()) {
            List<float[]> found = new ArrayList<>();
            rows.forEach(row -> found.add(vectors(model, List.of(row), workspace)));
            float[] together = vectors(model, rows, workspace);
            for (int r = 0; r < rows.size(); r++) {
                for (int i = 0; i < WIDTH; i++) {
                    float number =
                            (float) expected.path("vectors").path(r).path(i).asDouble();
                    assertThat(found.get(r)[i]).as("row %s alone", r).isCloseTo(number, within(1e-5f));
                    assertThat(together[r * WIDTH + i]).as("row %s", r).isCloseTo(number, within(1e-5f));
                }
            }
        }
    }

    private static float[] vectors(WhiteBox model, List<TokenRow> rows, NDManager workspace) {
        NDArray vectors = model.encode(model.transformer(Role.PASSAGE), model.batch(rows, workspace));
        return vectors.toFloatArray();
    }
}

package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Json;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Role;
import io.posbias.model.inside.Family;
import io.posbias.model.inside.LayerVectors;
import io.posbias.model.inside.TinyModels;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * All layers of tiny models against scripts/tests/layers_golden.py, which computes them with Hugging Face's transformers and
 * draws random weights in NumPy.
 */
@Tag("slow")
class HiddenStatesTest {
    private static final double CLOSE = 2e-5;
    private static final int FIFTHS = 5;

    @TempDir
    Path temp;

    static Stream<JsonNode> cases() {
        return Json.mapper().readTree(TinyModels.resource("layers.json")).valueStream();
    }

    private HiddenStates open(Family family, String settings, JsonNode seed) {
        WhiteBox box = WhiteBoxes.open(temp, TinyModels.write(temp, family, settings));
        return seed.isNull() ? HiddenStates.of(box) : HiddenStates.random(box, seed.asInt());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void layersAreThoseOfTransformers(JsonNode golden) {
        Family family = Stream.of(Family.values())
                .filter(one -> Suggestions.word(one).equals(golden.path("family").asString()))
                .findFirst()
                .orElseThrow();
        String settings = "pooling: " + golden.path("pooling").asString() + "\ndocument-prompt: \""
                + golden.path("prompt").asString() + "\"";
        try (HiddenStates model = open(family, settings, golden.path("seed"))) {
            LayerVectors.Layers read =
                    model.of(golden.path("text").asString(), FIFTHS).orElseThrow();
            assertThat(read.cut()).isEqualTo(golden.path("cut").asBoolean());
            assertThat(read.layers()).hasSize(golden.path("layers").size());
            for (int i = 0; i < read.layers().size(); i++) {
                JsonNode expected = golden.path("layers").path(i);
                assertClose(read.layers().get(i).pooled(), expected.path(0));
                for (int part = 0; part < FIFTHS; part++) {
                    assertClose(read.layers().get(i).parts().get(part), expected.path(1 + part));
                }
            }
        }
    }

    private static void assertClose(float[] found, JsonNode expected) {
        assertThat(found).hasSize(expected.size());
        for (int i = 0; i < found.length; i++) {
            assertThat((double) found[i]).isCloseTo(expected.path(i).asDouble(), within(CLOSE));
        }
    }

    /** Four tokens have no five parts; the last layer's pooled vector is the model's. */
    @Test
    void fewTokensAndTheLastLayer() {
        try (WhiteBox box = WhiteBoxes.open(temp, TinyModels.write(temp, Family.BERT, "pooling: max"))) {
            HiddenStates states = HiddenStates.of(box);
            assertThat(states.of("a b c d", FIFTHS)).isEmpty();
            float[] last = states.of("a b c d e", FIFTHS).orElseThrow().layers().getLast().pooled();
            float[] vector = box.vector("a b c d e", Role.PASSAGE);
            double length = Math.sqrt(Stream.iterate(0, i -> i + 1)
                    .limit(last.length)
                    .mapToDouble(i -> (double) last[i] * last[i])
                    .sum());
            for (int i = 0; i < last.length; i++) {
                assertThat(last[i] / length).isCloseTo(vector[i], within(CLOSE));
            }
        }
    }
}

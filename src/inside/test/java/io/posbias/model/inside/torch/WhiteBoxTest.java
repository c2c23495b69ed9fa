package io.posbias.model.inside.torch;

import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.encode.StandIns;
import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Session;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.retrieve.Recipe;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** White-box encoders against ONNX Runtime on the same file. */
@Tag("slow")
class WhiteBoxTest {
    private static final double CLOSE = 1e-4;

    private static final List<String> TEXTS = List.of(
            "a",
            "The quick brown fox jumps over the lazy dog.",
            "Position bias in information retrieval: do search models find an answer as well when it stands late? "
                    .repeat(40));

    @TempDir
    Path home;

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"all-minilm-l6-v2", "bge-small-en-v1.5", "e5-small-v2"})
    void vectorsAreThoseOfOnnxRuntime(String name) {
        Engine engine = Engine.quiet(1, Session.quiet(Map.of("POSBIAS_HOME", home.toString()), home));
        Recipe recipe = RecipeBook.find(name);
        try (WhiteBox inside = WhiteBox.open(recipe, engine);
                DenseEncoder graph = new DenseEncoder(StandIns.dense(recipe.settings()), engine)) {
            for (Role role : Role.values()) {
                for (String text : TEXTS) {
                    float[] expected = graph.vectors(List.of(graph.row(text, role)), role, false)
                            .getFirst();
                    float[] found = inside.vector(text, role);
                    double most = 0;
                    for (int i = 0; i < expected.length; i++) {
                        most = Math.max(most, Math.abs(expected[i] - found[i]));
                    }
                    assertThat(found).hasSameSizeAs(expected);
                    assertThat(most).isLessThan(CLOSE);
                }
            }
        }
    }
}

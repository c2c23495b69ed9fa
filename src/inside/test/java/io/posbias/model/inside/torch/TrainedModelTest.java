package io.posbias.model.inside.torch;

import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.encode.StandIns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.inside.TrainingOrder;
import io.posbias.model.retrieve.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MiniLM after two steps: what ONNX Runtime makes of the written file is what the trained weights make. */
@Tag("slow")
class TrainedModelTest {
    private static final String TEXT = "Position bias in information retrieval";

    @TempDir
    Path temp;

    @Tag("slow")
    @Test
    void onnxRuntimeRunsTheTrainedWeights() throws IOException {
        Path rows = temp.resolve("rows.jsonl");
        Files.writeString(rows, """
                {"query": "who wrote it", "pos": ["It was written by a friend."], "neg": []}
                {"query": "where is it", "pos": ["It is in the garden."], "neg": []}
                """);
        Engine engine = Engine.quiet(2, Sessions.in(temp));
        Recipe start = RecipeBook.find("all-minilm-l6-v2");
        Map<String, Object> changes = Map.of("batch", 2, "epochs", 2, "learning-rate", 1e-3);
        Path file = PairTraining.of(
                        start, List.of(new TrainingOrder(rows, "paper", changes, temp.resolve("trained"))), engine).getFirst()
                .run();
        Recipe trained = RecipeBook.find(file.toString());
        float[] before = vector(start, engine);
        float[] after = vector(trained, engine);
        try (WhiteBox inside = WhiteBox.open(trained, engine)) {
            float[] own = inside.vector(TEXT, Role.QUERY);
            double moved = 0;
            for (int i = 0; i < own.length; i++) {
                assertThat(after[i]).isCloseTo(own[i], within(1e-5f));
                moved = Math.max(moved, Math.abs(after[i] - before[i]));
            }
            assertThat(moved).isGreaterThan(1e-3);
        }
    }

    private static float[] vector(Recipe recipe, Engine engine) {
        try (DenseEncoder graph = new DenseEncoder(StandIns.dense(recipe.settings()), engine)) {
            return graph.vectors(List.of(graph.row(TEXT, Role.QUERY)), Role.QUERY, false)
                    .getFirst();
        }
    }
}

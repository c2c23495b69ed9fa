package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.model.retrieve.RecipeBook;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.inside.TinyModels;
import io.posbias.model.retrieve.Recipe;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gradients of batches cut into micro-batches, against PyTorch's of the whole batch in one graph. */
@Tag("slow")
class TraineeTest {
    private static final List<String> TEXTS = List.of("a b", "c", "d e f g h", "h g", "a c e g b d f", "b");
    private static final int PAIRS = 3;
    private static final int WIDTH = 16;
    private static final double SCALE = 5;

    @TempDir
    Path temp;

    private Recipe recipe = RecipeBook.find("bm25");

    @BeforeEach
    void write() {
        recipe = TinyModels.writeGraph(temp);
    }

    private Engine engine(int threads) {
        return Engine.quiet(threads, Sessions.in(temp));
    }

    private Trainee open(int microBatch, int keptTokens, double clip, int threads) {
        return Trainee.open(recipe, new Trainee.Limits(microBatch, keptTokens, 0, clip), engine(threads));
    }

    private static List<TokenRow> rows(Trainee trainee) {
        return TEXTS.stream().map(trainee.rows(Role.PASSAGE)::row).toList();
    }

    /** Gradients by weight, and the numbers that the loss's gradient with respect to vectors would have. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Whole(Map<String, float[]> gradients, float[][] toVectors) {}

    /** The mean of -log softmax(scale q p') over all pairs, with every text in one batch of one graph. */
    private Whole whole() {
        try (WhiteBox box = WhiteBox.open(recipe, engine(1));
                NDManager workspace = box.workspace()) {
            Torch.gradients(true);
            Map<String, NDArray> leaves = new HashMap<>();
            leaves.putAll(box.leaves(workspace));
            Transformer transformer = box.transformer(leaves);
            List<TokenRow> rows =
                    TEXTS.stream().map(box.rows(Role.PASSAGE)::row).toList();
            NDArray vectors = box.encode(transformer, box.batch(rows, workspace));
            NDArray apart = Torch.leaf(vectors, workspace);
            loss(vectors);
            loss(apart);
            Map<String, float[]> gradients = new HashMap<>();
            leaves.forEach((name, leaf) -> {
                NDArray gradient = Torch.gradient(leaf);
                gradients.put(name, gradient == null ? new float[0] : gradient.toFloatArray());
            });
            float[] flat = Objects.requireNonNull(Torch.gradient(apart)).toFloatArray();
            float[][] toVectors = new float[TEXTS.size()][];
            for (int i = 0; i < toVectors.length; i++) {
                toVectors[i] = Arrays.copyOfRange(flat, i * WIDTH, (i + 1) * WIDTH);
            }
            return new Whole(gradients, toVectors);
        }
    }

    private static void loss(NDArray vectors) {
        NDArray scores = vectors.get(":" + PAIRS)
                .matMul(vectors.get(PAIRS + ":").transpose())
                .mul(SCALE);
        NDArray own = scores.logSoftmax(1).mul(scores.getManager().eye(PAIRS));
        Torch.backward(own.sum().mul(-1.0 / PAIRS));
    }

    /** The first step's mean of gradients is a tenth of the gradient. */
    private static void assertGradients(Trainee trainee, Map<String, float[]> expected, double factor) {
        Map<String, Weight> state = trainee.state();
        expected.forEach((name, gradient) -> {
            float[] first =
                    Objects.requireNonNull(state.get(AdamW.FIRST + name)).values();
            for (int i = 0; i < gradient.length; i++) {
                assertThat(first[i] * 10)
                        .as("%s, number %s", name, i)
                        .isCloseTo((float) (factor * gradient[i]), within(1e-5f));
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 1", "12, 0, 2", "12, 1000, 1", "1000, 0, 2", "1000, 1000, 1"})
    void gradientsOfMicroBatchesAreThoseOfTheWholeBatch(int microBatch, int keptTokens, int threads) {
        Whole whole = whole();
        assertThat(whole.gradients().values())
                .anySatisfy(gradient -> assertThat(gradient[0]).isNotZero());
        try (Trainee trainee = open(microBatch, keptTokens, 0, threads)) {
            trainee.vectors(rows(trainee));
            double length = trainee.learn(whole.toVectors());
            trainee.update(0, length);
            assertGradients(trainee, whole.gradients(), 1);
            double squares = whole.gradients().values().stream()
                    .mapToDouble(TraineeTest::squared)
                    .sum();
            assertThat(length).isCloseTo(Math.sqrt(squares), within(1e-5));
        }
    }

    private static double squared(float[] numbers) {
        double squares = 0;
        for (float number : numbers) {
            squares += (double) number * number;
        }
        return squares;
    }

    @Test
    void aLongGradientIsScaledToTheLimit() {
        Whole whole = whole();
        try (Trainee trainee = open(1000, 0, 0.01, 1)) {
            trainee.vectors(rows(trainee));
            double length = trainee.learn(whole.toVectors());
            trainee.update(0, length);
            assertThat(length).isGreaterThan(0.01);
            assertGradients(trainee, whole.gradients(), 0.01 / length);
        }
    }

    /** What a second batch is encoded with are the moved weights. */
    @Test
    void weightsThatMovedAreThoseOfTheNextBatch() {
        try (Trainee trainee = open(12, 0, 0, 2)) {
            float[][] before = trainee.vectors(rows(trainee));
            trainee.update(0.1, trainee.learn(whole().toVectors()));
            Map<String, Weight> moved = trainee.weights();
            float[][] after = trainee.vectors(rows(trainee));
            assertThat(after[0]).isNotEqualTo(before[0]);
            try (Trainee other = open(12, 0, 0, 1)) {
                other.restore(1, moved, trainee.state());
                assertThat(Arrays.deepEquals(other.vectors(rows(other)), after)).isTrue();
            }
        }
    }

    @Test
    void microBatchesHoldNeighboursInLengthAndNoMoreTokensThanMay() {
        List<TokenRow> rows = List.of(row(3), row(9), row(4), row(20), row(8), row(3));
        assertThat(Trainee.parts(rows, 18).stream().map(Arrays::toString))
                .containsExactly("[3]", "[1, 4]", "[2, 0, 5]");
    }

    private static TokenRow row(int size) {
        return new TokenRow(new int[size], new int[size], 0, 0, TokenRow.WHOLE);
    }
}

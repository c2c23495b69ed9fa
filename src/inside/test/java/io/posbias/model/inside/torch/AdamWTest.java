package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Json;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.inside.TinyModels;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Steps of AdamW against scripts/tests/training_golden.py, which computes them in doubles; torch.optim.AdamW gives the same. */
@Tag("slow")
class AdamWTest {
    private static final List<Integer> MATRIX = List.of(4, 3);

    private JsonNode golden = Json.mapper().createObjectNode();

    @BeforeEach
    void read() {
        golden = Json.mapper().readTree(TinyModels.resource("training.json"));
    }

    private static float[] row(JsonNode row) {
        float[] numbers = new float[row.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (float) row.path(i).asDouble();
        }
        return numbers;
    }

    private static float[] rows(JsonNode rows, int... which) {
        float[] all = new float[which.length * 3];
        for (int i = 0; i < which.length; i++) {
            System.arraycopy(row(rows.path(which[i])), 0, all, i * 3, 3);
        }
        return all;
    }

    private static void assertClose(float[] found, float[] expected) {
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(found[i]).as("number %s", i).isCloseTo(expected[i], within(1e-6f));
        }
    }

    private double rate(int step) {
        return golden.path("rates").path(step).asDouble();
    }

    @Test
    void aMatrixMovesAndDecays() {
        AdamW adam = new AdamW("w", new Weight(rows(golden.path("start"), 0, 1, 2, 3), MATRIX), 0.01);
        for (int step = 0; step < 3; step++) {
            adam.move(rows(golden.path("gradients").path(step), 0, 1, 2, 3), rate(step), step + 1);
        }
        assertClose(adam.values(), rows(golden.path("matrix"), 0, 1, 2, 3));
    }

    @Test
    void rowsWithoutGradientMoveAsWithOneOfZeros() {
        AdamW adam = new AdamW("w", new Weight(rows(golden.path("start"), 0, 1, 2, 3), MATRIX), 0.01);
        for (int step = 0; step < 3; step++) {
            // The second step's gradient is 0 in the third row.
            int[] which = step == 1 ? new int[] {0, 1, 3} : new int[] {0, 1, 2, 3};
            adam.moveRows(rows(golden.path("gradients").path(step), which), which, rate(step), step + 1);
        }
        assertClose(adam.values(), rows(golden.path("matrix"), 0, 1, 2, 3));
    }

    @Test
    void aVectorDoesNotDecay() {
        AdamW adam = new AdamW("b", new Weight(row(golden.path("start").path(0)), List.of(3)), 0.01);
        for (int step = 0; step < 3; step++) {
            adam.move(row(golden.path("gradients").path(step).path(0)), rate(step), step + 1);
        }
        assertClose(adam.values(), row(golden.path("vector")));
    }

    @Test
    void aStateGoesOn() {
        AdamW whole = new AdamW("b", new Weight(row(golden.path("start").path(0)), List.of(3)), 0.01);
        AdamW again = new AdamW("b", new Weight(new float[3], List.of(3)), 0.01);
        for (int step = 0; step < 3; step++) {
            if (step == 2) {
                again.restore(whole.tensor(), whole.state());
                again.move(row(golden.path("gradients").path(step).path(0)), rate(step), step + 1);
            }
            whole.move(row(golden.path("gradients").path(step).path(0)), rate(step), step + 1);
        }
        assertThat(Arrays.equals(again.values(), whole.values())).isTrue();
    }
}

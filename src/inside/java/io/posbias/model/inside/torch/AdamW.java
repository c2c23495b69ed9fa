package io.posbias.model.inside.torch;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.onnx.Weight;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * AdamW optimiser of one weight (Loshchilov and Hutter 2019, arXiv:1711.05101), with PyTorch's constants and order of
 * operations. Vectors (biases and norm weights) do not decay.
 */
final class AdamW {
    /** Prefix of the first moment: the running mean of gradients. */
    static final String FIRST = "first.";

    /** Prefix of the second moment: the running mean of squared gradients. */
    static final String SECOND = "second.";

    private static final float BETA_1 = 0.9f;
    private static final float BETA_2 = 0.999f;
    private static final float EPSILON = 1e-8f;

    private final String name;
    private final List<Integer> shape;
    private final double decay;
    private final float[] weight;
    private final float[] first;
    private final float[] second;

    /** Decay factor, learning rate and bias corrections of a step. */
    private record Step(float keep, float rate, float root) {}

    /**
     * Creates the optimiser with zero moments.
     *
     * @param start initial weight
     * @param decay weight decay; ignored for vectors
     */
    AdamW(String name, Weight start, double decay) {
        this.name = name;
        this.shape = start.shape();
        this.decay = shape.size() > 1 ? decay : 0;
        this.weight = start.values().clone();
        this.first = new float[weight.length];
        this.second = new float[weight.length];
    }

    /** Returns the current values; callers must not change them. */
    float[] values() {
        return weight;
    }

    int width() {
        return weight.length / Math.max(1, shape.getFirst());
    }

    /**
     * Updates the weight.
     *
     * @param gradient has the size of the weight
     * @param rate learning rate
     * @param step from 1
     */
    void move(float[] gradient, double rate, long step) {
        move(0, weight.length, gradient, 0, step(rate, step));
    }

    /**
     * Updates the weight with a gradient that is 0 except in some rows.
     *
     * @param gradient values of these rows
     * @param rows indices of the rows, ascending
     * @param rate learning rate
     * @param step from 1
     */
    void moveRows(float[] gradient, int[] rows, double rate, long step) {
        Step now = step(rate, step);
        int width = width();
        float[] none = new float[width];
        int next = 0;
        for (int row = 0; row < shape.getFirst(); row++) {
            boolean has = next < rows.length && rows[next] == row;
            move(row * width, width, has ? gradient : none, has ? next * width : 0, now);
            next += has ? 1 : 0;
        }
    }

    private Step step(double rate, long step) {
        return new Step((float) (1 - rate * decay), (float) (rate / (1 - Math.pow(BETA_1, (double) step))), (float)
                (1 / Math.sqrt(1 - Math.pow(BETA_2, (double) step))));
    }

    private void move(int from, int n, float[] gradient, int at, Step step) {
        for (int i = 0; i < n; i++) {
            float g = gradient[at + i];
            float m = BETA_1 * first[from + i] + (1 - BETA_1) * g;
            float v = BETA_2 * second[from + i] + (1 - BETA_2) * g * g;
            first[from + i] = m;
            second[from + i] = v;
            weight[from + i] =
                    step.keep * weight[from + i] - step.rate * m / ((float) Math.sqrt(v) * step.root + EPSILON);
        }
    }

    Weight tensor() {
        return new Weight(weight, shape);
    }

    SortedMap<String, Weight> state() {
        return new TreeMap<>(Map.of(FIRST + name, new Weight(first, shape), SECOND + name, new Weight(second, shape)));
    }

    /**
     * Restores the weight and its moments.
     *
     * @throws PosbiasException if a tensor is missing or has another size
     */
    void restore(@Nullable Weight then, Map<String, Weight> state) {
        copy(then, weight);
        copy(state.get(FIRST + name), first);
        copy(state.get(SECOND + name), second);
    }

    private void copy(@Nullable Weight from, float[] to) {
        if (from == null || from.values().length != to.length) {
            throw new PosbiasException("the checkpoint holds not the model's " + name);
        }
        System.arraycopy(from.values(), 0, to, 0, to.length);
    }
}

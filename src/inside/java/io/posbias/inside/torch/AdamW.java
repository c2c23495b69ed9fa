package io.posbias.inside.torch;

import io.posbias.PosbiasException;
import io.posbias.encode.onnx.Weight;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A weight and its steps along gradients: Adam with decoupled weight decay, Loshchilov and Hutter 2019, arXiv:1711.05101,
 * with PyTorch's constants and order of operations. Biases and the weights of norms, which are all vectors, do not decay.
 */
final class AdamW {
    /** What names of the tensors of a state begin with: the running mean of gradients, that of their squares. */
    static final String FIRST = "first.";

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

    /** The rate and the corrections of a step. */
    private record Step(float keep, float rate, float root) {}

    /**
     * @param start the weight before the first step
     * @param decay of a matrix
     */
    AdamW(String name, Weight start, double decay) {
        this.name = name;
        this.shape = start.shape();
        this.decay = shape.size() > 1 ? decay : 0;
        this.weight = start.values().clone();
        this.first = new float[weight.length];
        this.second = new float[weight.length];
    }

    /** The weight's numbers as they are now; not to be changed. */
    float[] values() {
        return weight;
    }

    /** How many numbers one of its rows has. */
    int width() {
        return weight.length / Math.max(1, shape.getFirst());
    }

    /**
     * Moves the weight.
     *
     * @param gradient as many numbers
     * @param rate the learning rate
     * @param step counts from 1
     */
    void move(float[] gradient, double rate, long step) {
        move(0, weight.length, gradient, 0, step(rate, step));
    }

    /**
     * The same with a gradient that is 0 but for some rows.
     *
     * @param gradient those rows
     * @param rows which they are, ascending
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

    /** The weight as a tensor. */
    Weight tensor() {
        return new Weight(weight, shape);
    }

    /** What it remembers, as tensors. */
    SortedMap<String, Weight> state() {
        return new TreeMap<>(Map.of(FIRST + name, new Weight(first, shape), SECOND + name, new Weight(second, shape)));
    }

    /**
     * Goes on from a weight and its state.
     *
     * @throws PosbiasException if they are of another model
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

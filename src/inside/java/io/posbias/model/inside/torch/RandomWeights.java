package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import io.posbias.model.encode.onnx.Weight;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Weights of an untrained model with the shapes of a trained one. Matrices, tables of embeddings included, are normal with
 * mean 0 and the matrix's own standard deviation; weights of norms are 1, biases 0.
 */
final class RandomWeights {
    private static final int MATRIX = 2;

    private RandomWeights() {}

    /**
     * Draws weights. One {@link Random}, whose algorithm is documented, fills the matrices row by row, in the order of their
     * names.
     *
     * @param weights by name; arrays that do not end in {@code .weight} or {@code .bias} are left out
     */
    static Map<String, NDArray> like(Map<String, NDArray> weights, int seed) {
        Random random = new Random(seed);
        Map<String, NDArray> drawn = new LinkedHashMap<>();
        new TreeMap<>(weights).forEach((name, weight) -> {
            if (name.endsWith(".weight") || name.endsWith(".bias")) {
                float[] values = weight.toFloatArray();
                fill(values, name, weight.getShape().dimension() == MATRIX, random);
                drawn.put(name, Torch.array(new Weight(values, sizes(weight.getShape())), weight.getManager()));
            }
        });
        return drawn;
    }

    private static void fill(float[] values, String name, boolean matrix, Random random) {
        if (matrix) {
            double deviation = deviation(values);
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) (deviation * random.nextGaussian());
            }
        } else {
            Arrays.fill(values, name.endsWith(".weight") ? 1 : 0);
        }
    }

    /** Returns the standard deviation around the mean, with n in the denominator. */
    private static double deviation(float[] values) {
        double mean = 0;
        for (float value : values) {
            mean += value / (double) values.length;
        }
        double squares = 0;
        for (float value : values) {
            squares += (value - mean) * (value - mean);
        }
        return Math.sqrt(squares / values.length);
    }

    private static List<Integer> sizes(Shape shape) {
        return LongStream.of(shape.getShape()).mapToObj(Math::toIntExact).toList();
    }
}

package io.posbias.retrieve;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import io.posbias.PosbiasException;
import io.posbias.encode.onnx.OnnxRuntime;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether this processor does what {@link Screen} relies on: its products of bytes are exact (those of old processors cut
 * sums off at 16 bits), its float products have the bits of {@link GemmProduct}, and bytes are enough faster than floats.
 * Neither order of addition nor saturation depends on the numbers, so a tile of any numbers shows them. A process checks
 * each number of dimensions once: nothing else that the outcome depends on changes while it runs.
 */
final class ScreenCheck {
    /** Below this, scanning and rescoring take what multiplying bytes saves. */
    private static final double LEAST_GAIN = 2.5;

    private static final int ROUNDS = 5;
    private static final byte[] EXTREMES = {-127, 127, -128, 0, 1, -1};

    /** {@link #gain} by dimension. */
    private static final Map<Integer, Double> GAINS = new ConcurrentHashMap<>();

    private final Screen screen;
    private final int dimension;
    private final FloatProduct product;
    private final Random random = new Random(20_233);

    /** The product of a tile of {@link ExactSearch#QUERIES} queries and {@link ExactSearch#PASSAGES} passages. */
    @FunctionalInterface
    interface FloatProduct {
        void multiply(OnnxTensor queries, OnnxTensor passages, OnnxTensor scores) throws OrtException;
    }

    private ScreenCheck(Screen screen, int dimension, FloatProduct product) {
        this.screen = screen;
        this.dimension = dimension;
        this.product = product;
    }

    /**
     * A screen that was checked, by this call or an earlier one; several at once wait for one check.
     *
     * @param product the float product that scores are to have the bits of
     * @param faster whether it has to be faster, too
     * @return null if the screen is of no use here
     */
    static @Nullable Screen open(int dimension, FloatProduct product, boolean faster) {
        double least = faster ? LEAST_GAIN : Double.MIN_VALUE;
        return GAINS.computeIfAbsent(dimension, unknown -> measured(dimension, product)) >= least
                ? new Screen(OnnxRuntime.onCpu(), dimension)
                : null;
    }

    private static double measured(int dimension, FloatProduct product) {
        try (Screen screen = new Screen(OnnxRuntime.onCpu(), dimension)) {
            return new ScreenCheck(screen, dimension, product).gain();
        } catch (OrtException failed) {
            throw new PosbiasException("screening of exact search failed: " + OnnxRuntime.line(failed), failed);
        }
    }

    /** How many times as fast bytes are multiplied as floats; 0 if either product is not what it has to be. */
    private double gain() throws OrtException {
        double bytes = bytes(ExactSearch.PASSAGES, ExactSearch.QUERIES);
        if (!(bytes < Double.POSITIVE_INFINITY) || bytes(5, 3) == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double floats = floats();
        return floats < Double.POSITIVE_INFINITY ? floats / bytes : 0;
    }

    /** Nanoseconds of a product of bytes; infinite if it is wrong. */
    private double bytes(int rows, int columns) throws OrtException {
        ByteBuffer passages = extremes(rows);
        ByteBuffer queries = extremes(columns);
        for (int i = 0; i < columns * dimension; i++) {
            queries.put(i, (byte) Math.max(-127, queries.get(i)));
        }
        IntBuffer sums = ByteBuffer.allocateDirect(Integer.BYTES * rows * columns)
                .order(ByteOrder.nativeOrder())
                .asIntBuffer();
        try (OnnxTensor right = screen.columns(queries, columns)) {
            double best = fastest(() -> screen.multiply(passages, rows, right, columns, sums));
            for (int row = 0; row < rows; row++) {
                for (int column = row % 61; column < columns; column += 61) {
                    if (sums.get(row * columns + column) != sum(passages, row, queries, column, columns)) {
                        return Double.POSITIVE_INFINITY;
                    }
                }
            }
            return best;
        }
    }

    /** The largest and smallest bytes, and a vector of the largest alone. */
    private ByteBuffer extremes(int vectors) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(vectors * dimension).order(ByteOrder.nativeOrder());
        for (int i = 0; i < bytes.capacity(); i++) {
            bytes.put(i, i < dimension ? -1 : EXTREMES[random.nextInt(EXTREMES.length)]);
        }
        return bytes;
    }

    private int sum(ByteBuffer passages, int row, ByteBuffer queries, int column, int columns) {
        int sum = 0;
        for (int i = 0; i < dimension; i++) {
            sum += (passages.get(row * dimension + i) & 0xFF) * queries.get(i * columns + column);
        }
        return sum;
    }

    /** Nanoseconds of a product of floats; infinite if its bits are others than {@link GemmProduct}'s. */
    private double floats() throws OrtException {
        FloatBuffer queries = numbers(ExactSearch.QUERIES);
        FloatBuffer passages = numbers(ExactSearch.PASSAGES);
        FloatBuffer scores = ExactSearch.direct((long) ExactSearch.QUERIES * ExactSearch.PASSAGES);
        try (OnnxTensor left = ExactSearch.tensor(queries, ExactSearch.QUERIES, dimension);
                OnnxTensor right = ExactSearch.tensor(passages, ExactSearch.PASSAGES, dimension);
                OnnxTensor out = ExactSearch.tensor(scores, ExactSearch.QUERIES, ExactSearch.PASSAGES)) {
            double best = fastest(() -> product.multiply(left, right, out));
            float[] query = new float[dimension];
            for (int i = 0; i < ExactSearch.QUERIES; i++) {
                queries.get(i * dimension, query);
                // Every query meets some passages, so that every place of a kernel's block takes part; a few meet all.
                int some = i % 100 == 0 ? ExactSearch.PASSAGES : GemmProduct.ROWS;
                for (int from = 0; from < some; from += GemmProduct.ROWS) {
                    int first = (i * GemmProduct.ROWS + from) % ExactSearch.PASSAGES;
                    if (!same(query, passages, first, scores, i * ExactSearch.PASSAGES + first)) {
                        return Double.POSITIVE_INFINITY;
                    }
                }
            }
            return best;
        }
    }

    private boolean same(float[] query, FloatBuffer passages, int first, FloatBuffer scores, int at) {
        int[] starts = new int[GemmProduct.ROWS];
        float[] products = new float[GemmProduct.ROWS];
        for (int j = 0; j < starts.length; j++) {
            starts[j] = (first + j) * dimension;
        }
        GemmProduct.multiply(query, passages, starts, products);
        boolean same = true;
        for (int j = 0; j < starts.length; j++) {
            same &= Float.floatToRawIntBits(products[j]) == Float.floatToRawIntBits(scores.get(at + j));
        }
        return same;
    }

    private FloatBuffer numbers(int vectors) {
        FloatBuffer values = ExactSearch.direct((long) vectors * dimension);
        for (int i = 0; i < values.capacity(); i++) {
            values.put(i, random.nextFloat() - 0.5f);
        }
        return values;
    }

    @FunctionalInterface
    private interface Product {
        void run() throws OrtException;
    }

    private static double fastest(Product product) throws OrtException {
        double best = Double.POSITIVE_INFINITY;
        for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            product.run();
            best = Math.min(best, (double) (System.nanoTime() - start));
        }
        return best;
    }
}

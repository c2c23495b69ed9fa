package io.posbias.retrieve;

import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * Inner products with the very bits of ONNX Runtime's Gemm, for a few pairs that no matrix holds.
 *
 * <p>The Gemm of a processor with fused multiply-add adds a product's terms one after another, in blocks of 128 terms whose
 * sums are added in turn (MLAS, {@code MLAS_SGEMM_STRIDEK} in {@code sgemm.cpp}, for a matrix at least 128 passages wide).
 * That other processors or versions do the same is not assumed: {@link ScreenCheck} compares bits before this is used.
 */
final class GemmProduct {
    /** Products computed side by side: each alone would wait for its own additions. */
    static final int ROWS = 8;

    private static final int BLOCK = 128;

    private GemmProduct() {}

    /**
     * The inner products of one query and several passages.
     *
     * @param vectors the passages' vectors, one after another
     * @param starts where the vectors of {@link #ROWS} passages begin
     * @param products as many, which are overwritten
     */
    static void multiply(float[] query, FloatBuffer vectors, int[] starts, float[] products) {
        Arrays.fill(products, 0);
        for (int from = 0; from < query.length; from += BLOCK) {
            block(query, vectors, starts, from, Math.min(query.length, from + BLOCK), products);
        }
    }

    /**
     * Offers one query's products with all passages.
     *
     * @param vectors the passages' vectors, one after another
     * @param begin the ordinal of the first
     */
    static void all(float[] query, FloatBuffer vectors, int begin, BestHits hits) {
        int count = vectors.remaining() / query.length;
        int[] starts = new int[ROWS];
        float[] products = new float[ROWS];
        for (int from = 0; from < count; from += ROWS) {
            for (int j = 0; j < ROWS; j++) {
                starts[j] = Math.min(from + j, count - 1) * query.length;
            }
            multiply(query, vectors, starts, products);
            for (int j = 0; j < Math.min(ROWS, count - from); j++) {
                hits.offer(begin + from + j, products[j]);
            }
        }
    }

    /** Kept small and apart, so that eight sums stay in registers. */
    private static void block(float[] query, FloatBuffer vectors, int[] starts, int from, int to, float[] products) {
        int at0 = starts[0];
        int at1 = starts[1];
        int at2 = starts[2];
        int at3 = starts[3];
        int at4 = starts[4];
        int at5 = starts[5];
        int at6 = starts[6];
        int at7 = starts[7];
        float sum0 = 0;
        float sum1 = 0;
        float sum2 = 0;
        float sum3 = 0;
        float sum4 = 0;
        float sum5 = 0;
        float sum6 = 0;
        float sum7 = 0;
        for (int i = from; i < to; i++) {
            float x = query[i];
            sum0 = Math.fma(x, vectors.get(at0 + i), sum0);
            sum1 = Math.fma(x, vectors.get(at1 + i), sum1);
            sum2 = Math.fma(x, vectors.get(at2 + i), sum2);
            sum3 = Math.fma(x, vectors.get(at3 + i), sum3);
            sum4 = Math.fma(x, vectors.get(at4 + i), sum4);
            sum5 = Math.fma(x, vectors.get(at5 + i), sum5);
            sum6 = Math.fma(x, vectors.get(at6 + i), sum6);
            sum7 = Math.fma(x, vectors.get(at7 + i), sum7);
        }
        products[0] += sum0;
        products[1] += sum1;
        products[2] += sum2;
        products[3] += sum3;
        products[4] += sum4;
        products[5] += sum5;
        products[6] += sum6;
        products[7] += sum7;
    }
}

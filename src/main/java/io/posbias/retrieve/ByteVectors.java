package io.posbias.retrieve;

import io.posbias.Parallel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Vectors rounded to bytes, and how much of each the rounding lost: a vector is {@code step * b + r} with whole numbers
 * {@code b} from -127 to 127 and a rest {@code r}, of which only the length is kept.
 *
 * <p>By Cauchy and Schwarz the inner product of two vectors q and p differs from that of their rounded ones by at most
 * {@code |q| |r_p| + |r_q| |step_p b_p|}, whatever the rests are. Lengths here are upper bounds: rounding of the
 * computation itself is in {@link #SLACK}.
 */
final class ByteVectors {
    /** Largest length of a vector whose products stay finite in floats, and their bounds too. */
    private static final double LONGEST = 1e18;

    /** Vectors whose largest number is below this are rounded to nothing: a step must be a normal float. */
    private static final float LEAST = 1e-30f;

    /** More than the relative error of what is computed here, in floats and doubles. */
    private static final double SLACK = 1e-6;

    private static final int INFINITE = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private final ByteBuffer bytes;

    /** What one unit of a vector's bytes is. */
    private final float[] step;

    /** The length of the rest. */
    private final float[] lost;

    /** The length of the rounded vector. */
    private final float[] kept;

    private final int dimension;
    private volatile boolean finite = true;
    private int size;

    /**
     * Room for vectors.
     *
     * @param most how many at most
     */
    ByteVectors(int most, int dimension) {
        this.dimension = dimension;
        this.bytes =
                ByteBuffer.allocateDirect(Math.multiplyExact(most, dimension)).order(ByteOrder.nativeOrder());
        this.step = new float[most];
        this.lost = new float[most];
        this.kept = new float[most];
    }

    /** How many vectors there are. */
    int size() {
        return size;
    }

    /** The bytes of some vectors plus 128, one vector after another: the unsigned side of a product. */
    ByteBuffer bytes(int from, int count) {
        return bytes.slice(from * dimension, count * dimension);
    }

    float step(int vector) {
        return step[vector];
    }

    float kept(int vector) {
        return kept[vector];
    }

    float lost(int vector) {
        return lost[vector];
    }

    /**
     * Takes the vectors at the beginning of a buffer in place of those before.
     *
     * @return whether all are of finite numbers, and short enough that their products are
     */
    boolean round(FloatBuffer vectors, int count, int threads) {
        size = count;
        finite = true;
        Parallel.forChunks(threads, count, 256, () -> {
            Rounder rounder = new Rounder();
            return (from, to) -> {
                for (int i = from; i < to; i++) {
                    rounder.round(vectors, i);
                }
            };
        });
        return finite;
    }

    /** Some of the vectors, at even distances. */
    ByteVectors sample(int most) {
        ByteVectors sample = new ByteVectors(Math.min(most, size), dimension);
        sample.size = Math.min(most, size);
        for (int i = 0; i < sample.size; i++) {
            int from = (int) ((long) i * size / sample.size);
            sample.bytes.put(i * dimension, bytes, from * dimension, dimension);
            sample.step[i] = step[from];
            sample.kept[i] = kept[from];
            sample.lost[i] = lost[from];
        }
        return sample;
    }

    /** One thread's scratch memory. */
    private final class Rounder {
        private final float[] row = new float[dimension];
        private final byte[] rounded = new byte[dimension];

        /** Rounds the vector at a place of a buffer of vectors and keeps it at the same place. */
        void round(FloatBuffer vectors, int place) {
            vectors.get(place * dimension, row);
            step[place] = step(row);
            if (!(step[place] > 0)) {
                finite = false;
                return;
            }
            ByteVectors.round(row, step[place], rounded);
            kept[place] = kept(rounded, step[place]);
            lost[place] = lost(row, rounded, step[place]);
            for (int i = 0; i < dimension; i++) {
                rounded[i] ^= (byte) 0x80;
            }
            bytes.put(place * dimension, rounded);
        }
    }

    /** What one unit is to be; 0 if the vector is too long or not of finite numbers. */
    static float step(float... vector) {
        int largest = 0;
        for (float x : vector) {
            largest = Math.max(largest, Float.floatToRawIntBits(x) & Integer.MAX_VALUE);
        }
        float most = Float.intBitsToFloat(largest);
        if (largest >= INFINITE || most * Math.sqrt(vector.length) > LONGEST) {
            return 0;
        }
        return most < LEAST ? 1 : most / 127;
    }

    static void round(float[] vector, float step, byte[] rounded) {
        float scale = 1 / step;
        for (int i = 0; i < vector.length; i++) {
            // Of positive numbers, cutting the fraction off rounds down.
            rounded[i] = (byte) ((int) (vector[i] * scale + 128.5f) - 128);
        }
    }

    /** At least the length of a rounded vector. */
    static float kept(byte[] rounded, float step) {
        int sum = 0;
        for (byte b : rounded) {
            sum += b * b;
        }
        return above(Math.sqrt(sum) * step);
    }

    /** At least the length of what rounding lost. */
    static float lost(float[] vector, byte[] rounded, float step) {
        double sum = 0;
        for (int i = 0; i < vector.length; i++) {
            double rest = vector[i] - (double) step * rounded[i];
            sum += rest * rest;
        }
        return above(Math.sqrt(sum));
    }

    private static float above(double length) {
        return Math.nextUp((float) (length * (1 + SLACK)));
    }
}

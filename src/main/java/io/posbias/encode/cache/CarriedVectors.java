package io.posbias.encode.cache;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The numbers of vectors themselves, for a process that does not see the files they are kept in.
 *
 * @param numbers all vectors, one text's after another's
 * @param begins of each text, how many vectors come before its own; and how many there are, last
 * @param dimension numbers of a vector
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every number
record CarriedVectors(float[] numbers, int[] begins, int dimension) implements PortableVectors {
    /** Those of the texts {@code from} to {@code to} (exclusive), of at most 2^31 numbers. */
    static CarriedVectors of(Vectors vectors, int from, int to) {
        int[] begins = new int[to - from + 1];
        for (int text = from; text < to; text++) {
            begins[text - from + 1] = begins[text - from] + vectors.rows(text);
        }
        FloatBuffer numbers = FloatBuffer.allocate(Math.toIntExact((long) begins[to - from] * vectors.dimension()));
        for (int text = from; text < to; text++) {
            vectors.read(text, numbers);
        }
        return new CarriedVectors(numbers.array(), begins, vectors.dimension());
    }

    @Override
    public PortableVectors part(int from, int to) {
        int first = begins[from];
        int[] own =
                Arrays.stream(begins, from, to + 1).map(begin -> begin - first).toArray();
        return new CarriedVectors(
                Arrays.copyOfRange(numbers, first * dimension, begins[to] * dimension), own, dimension);
    }

    @Override
    public Vectors open() {
        return new Vectors(
                new InMemory(this), LongStream.range(0, begins.length - 1).toArray());
    }

    private record InMemory(CarriedVectors vectors) implements VectorStore {
        @Override
        public int dimension() {
            return vectors.dimension;
        }

        @Override
        public int rows(long place) {
            return vectors.begins[(int) place + 1] - vectors.begins[(int) place];
        }

        @Override
        public int seen(long place) {
            throw new UnsupportedOperationException("what a model saw is known where its vectors were made");
        }

        @Override
        public void read(long place, FloatBuffer into) {
            into.put(vectors.numbers, vectors.begins[(int) place] * vectors.dimension, rows(place) * vectors.dimension);
        }

        @Override
        public PortableVectors portable(long[] places, int[] rows) {
            return vectors;
        }

        @Override
        public void release() {
            // Nothing was opened.
        }
    }
}

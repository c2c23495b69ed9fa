package io.posbias.encode.onnx;

import io.posbias.Parallel;
import io.posbias.encode.Device;
import io.posbias.encode.Engine;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/** Rows made ahead and run batch by batch: what all encoders and scorers with a graph have in common. */
public final class RowWork {
    private static final int CHUNK = 64;

    private final Engine engine;
    private final Device device;

    /**
     * @param device where the graph runs, settled
     */
    public RowWork(Engine engine, Device device) {
        this.engine = engine;
        this.device = device;
    }

    /** What is done with a batch. */
    @FunctionalInterface
    public interface Body {
        /**
         * Takes a batch.
         *
         * @param rows its rows
         * @param places their places among all rows
         */
        public void run(List<TokenRow> rows, List<Integer> places);
    }

    /** Makes rows, on all threads. */
    public List<TokenRow> rows(int count, IntFunction<TokenRow> maker) {
        TokenRow[] rows = new TokenRow[count];
        Parallel.forChunks(engine.threads(), count, CHUNK, () -> (from, to) -> {
            for (int i = from; i < to; i++) {
                rows[i] = maker.apply(i);
            }
        });
        return Arrays.asList(rows);
    }

    /** Groups rows into batches. */
    public List<List<Integer>> batches(List<TokenRow> rows) {
        return Batches.of(rows, engine.batchTokensOn(device), device.isCuda());
    }

    /** Runs batches, on a card one after another, else several side by side. */
    public void run(List<TokenRow> rows, List<List<Integer>> batches, Body body) {
        Parallel.forChunks(device.isCuda() ? 1 : engine.threads(), batches.size(), 1, () -> (from, to) -> {
            for (int i = from; i < to; i++) {
                List<Integer> places = batches.get(i);
                body.run(places.stream().map(rows::get).toList(), places);
            }
        });
    }
}

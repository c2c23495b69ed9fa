package io.posbias.model.encode.onnx;

import io.posbias.base.process.Parallel;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Batched runs of a graph, shared by all local encoders and cross-encoders.
 *
 * @param device of the graph, resolved
 * @param precision of the graph's weights
 */
public record BatchRunner(Engine engine, Device device, Precision precision) {
    private static final int CHUNK = 64;
    private static final int SLACK = 8;

    /** Batches that are made, computed and read at once for a GPU, if there are so many threads; two of them are on it. */
    private static final int CUDA_BATCHES = 4;

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

    /** Groups rows into batches, of one row each where the precision {@linkplain Precision#runsAlone requires it}. */
    public List<List<Integer>> batches(List<TokenRow> rows) {
        return batches(rows, precision.runsAlone() ? 0 : engine.batchTokensOn(device), device.isCuda());
    }

    /**
     * Groups rows into batches by length, the longest first, within a token budget.
     *
     * <p>A batch on the CPU has rows of one length and no padding. This costs nothing, and a text's vectors are equal
     * to the last bit whatever the other texts, the corpus or the number of threads. With padding, on GPUs, a batch
     * takes rows up to an eighth shorter than its longest.
     *
     * @param budget tokens of a batch, padding included; a longer row is a batch by itself
     * @return row indices, batch by batch
     */
    static List<List<Integer>> batches(List<TokenRow> rows, int budget, boolean mayPad) {
        List<Integer> order = IntStream.range(0, rows.size())
                .boxed()
                .sorted(Comparator.comparingInt((Integer i) -> rows.get(i).size())
                        .reversed()
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        List<List<Integer>> batches = new ArrayList<>();
        List<Integer> current = new ArrayList<>();
        int longest = 0;
        for (int place : order) {
            int size = rows.get(place).size();
            boolean fits = size >= (mayPad ? longest - longest / SLACK : longest)
                    && (long) (current.size() + 1) * longest <= budget;
            if (current.isEmpty() || !fits) {
                if (!current.isEmpty()) {
                    batches.add(current);
                }
                current = new ArrayList<>();
                longest = size;
            }
            current.add(place);
        }
        if (!current.isEmpty()) {
            batches.add(current);
        }
        return Collections.unmodifiableList(batches);
    }

    /**
     * Runs batches in parallel; for a GPU, the next are made and the last are read while one is computed.
     *
     * @param body takes the rows of a batch and their indices
     */
    public void run(List<TokenRow> rows, List<List<Integer>> batches, BiConsumer<List<TokenRow>, List<Integer>> body) {
        int atOnce = device.isCuda() ? Math.min(CUDA_BATCHES, engine.threads()) : engine.threads();
        Parallel.forChunks(atOnce, batches.size(), 1, () -> (from, to) -> {
            for (int i = from; i < to; i++) {
                List<Integer> places = batches.get(i);
                body.accept(places.stream().map(rows::get).toList(), places);
            }
        });
    }
}

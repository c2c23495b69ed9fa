package io.posbias.encode.onnx;

import io.posbias.Parallel;
import io.posbias.encode.Device;
import io.posbias.encode.Engine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Rows made ahead and run batch by batch: what all encoders and scorers with a graph have in common.
 *
 * @param device where the graph runs, settled
 * @param precision of the graph's weights
 */
public record BatchRunner(Engine engine, Device device, Precision precision) {
    private static final int CHUNK = 64;
    private static final int SLACK = 8;

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

    /** Groups rows into batches: of one row each where the precision {@linkplain Precision#runsAlone asks for that}. */
    public List<List<Integer>> batches(List<TokenRow> rows) {
        return batches(rows, precision.runsAlone() ? 0 : engine.batchTokensOn(device), device.isCuda());
    }

    /**
     * Groups rows into batches by length, within a budget of tokens, the longest first.
     *
     * <p>Rows of one batch are of one length, so that nothing is padded. On the processor this costs nothing, and what
     * comes out for a text is then the same to the last bit whatever else is encoded with it: a resumed run, another
     * corpus and another number of threads give the same bytes. Where padding is allowed, on cards, a batch takes rows
     * that are at most an eighth shorter than its longest.
     *
     * @param budget tokens in a batch, padding included; a longer row goes alone
     * @return the places of rows, batch by batch
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
     * Runs batches, on a card one after another, else several side by side.
     *
     * @param body takes the rows of a batch and their places among all rows
     */
    public void run(List<TokenRow> rows, List<List<Integer>> batches, BiConsumer<List<TokenRow>, List<Integer>> body) {
        Parallel.forChunks(device.isCuda() ? 1 : engine.threads(), batches.size(), 1, () -> (from, to) -> {
            for (int i = from; i < to; i++) {
                List<Integer> places = batches.get(i);
                body.accept(places.stream().map(rows::get).toList(), places);
            }
        });
    }
}

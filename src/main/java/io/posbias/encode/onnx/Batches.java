package io.posbias.encode.onnx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Groups rows into batches by length, within a budget of tokens, the longest first.
 *
 * <p>Rows of one batch are of one length, so that nothing is padded. On the processor this costs nothing, and what comes
 * out for a text is then the same to the last bit whatever else is encoded with it: a resumed run, another corpus and
 * another number of threads give the same bytes. Where padding is allowed, on cards, a batch takes rows that are at most
 * an eighth shorter than its longest.
 */
final class Batches {
    private static final int SLACK = 8;

    private Batches() {}

    /**
     * Groups rows.
     *
     * @param rows all rows
     * @param budget tokens in a batch, padding included; a longer row goes alone
     * @param mayPad whether lengths may differ
     * @return the places of rows, batch by batch
     */
    static List<List<Integer>> of(List<TokenRow> rows, int budget, boolean mayPad) {
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
}

package io.posbias.data.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;

/**
 * Statistics of Table 2 of the SQuAD-PosQ paper. Lengths are in words between single spaces (Python's {@code
 * text.split(" ")}); standard deviations divide by n.
 *
 * @param passages without titles
 * @param positions counts in ten equal bins of relative position, right-closed
 * @param unplaced queries without a position
 */
public record DatasetStatistics(Lengths queries, Lengths passages, List<Integer> positions, int unplaced) {
    private static final int BINS = 10;

    public record Lengths(
            int count,
            @JsonProperty("min_words") int least,
            @JsonProperty("max_words") int most,
            @JsonProperty("mean_words") double mean,
            @JsonProperty("std_words") double deviation) {
        static Lengths of(int[] lengths) {
            IntSummaryStatistics all = Arrays.stream(lengths).summaryStatistics();
            double mean = all.getAverage();
            double variance = Arrays.stream(lengths)
                    .mapToDouble(length -> (length - mean) * (length - mean))
                    .average()
                    .orElse(0);
            return new Lengths(lengths.length, all.getMin(), all.getMax(), mean, Math.sqrt(variance));
        }
    }

    public static DatasetStatistics of(Dataset dataset) {
        int[] passages = new int[dataset.passages().size()];
        dataset.passages().inFileOrder((ordinal, passage) -> passages[ordinal] = words(passage.text()));
        int[] queries = dataset.queries().stream()
                .mapToInt(query -> words(query.text()))
                .toArray();
        int[] positions = new int[BINS];
        int unplaced = 0;
        for (Query query : dataset.queries()) {
            Evidence evidence = query.evidence();
            if (evidence == null || !evidence.isPlaced()) {
                unplaced++;
            } else {
                positions[evidence.relativeBin(BINS)]++;
            }
        }
        return new DatasetStatistics(
                Lengths.of(queries),
                Lengths.of(passages),
                Arrays.stream(positions).boxed().toList(),
                unplaced);
    }

    /** Counts words as the SQuAD-PosQ paper's code does: spaces + 1. */
    public static int words(String text) {
        return 1 + (int) text.chars().filter(unit -> unit == ' ').count();
    }
}

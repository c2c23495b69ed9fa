package io.posbias.position;

import io.posbias.dataset.Evidence;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Buckets that the benchmark itself names, such as FineWeb-PosQ's beginning, middle and end. A query with several labels
 * falls in several buckets.
 *
 * @param buckets the labels, in the order in which tables show them
 */
public record Labels(List<String> buckets) implements Positions {
    static final String WORD = "labels";

    /** Checks that the labels differ. */
    public Labels {
        buckets = List.copyOf(buckets);
        if (buckets.isEmpty() || new HashSet<>(buckets).size() != buckets.size() || buckets.contains("")) {
            throw new IllegalArgumentException("labels must be different words: " + buckets);
        }
    }

    @Override
    public int[] of(Evidence evidence) {
        return IntStream.range(0, buckets.size())
                .filter(bucket -> evidence.labels().contains(buckets.get(bucket)))
                .toArray();
    }

    @Override
    public String toString() {
        return WORD + ":" + String.join(",", buckets);
    }
}

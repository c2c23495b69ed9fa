package io.posbias.study.build.text;

import io.posbias.base.json.Setting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Length buckets and their quotas.
 *
 * @param edges ascending, each bucket is [edge, next edge); empty: one bucket of all lengths
 * @param ratio positive, one per bucket
 */
public record LengthBuckets(List<Integer> edges, List<Integer> ratio) {
    public static final String ALL = "all";

    /**
     * Checks settings.
     *
     * @param ratio null: equal
     */
    public static LengthBuckets of(List<Integer> edges, @Nullable List<Integer> ratio) {
        boolean ascend = IntStream.range(1, edges.size()).allMatch(i -> edges.get(i - 1) < edges.get(i));
        if (edges.size() == 1 || !ascend || (!edges.isEmpty() && edges.getFirst() < 0)) {
            throw new Setting.Wrong(
                    "edges", "is " + edges, "give two or more lengths in ascending order, for example [500, 1024]");
        }
        int buckets = Math.max(1, edges.size() - 1);
        List<Integer> parts = ratio == null ? Collections.nCopies(buckets, 1) : ratio;
        if (parts.size() != buckets || parts.stream().anyMatch(part -> part <= 0)) {
            throw new Setting.Wrong(
                    "ratio", "is " + parts, "give a positive number for each of the " + buckets + " buckets");
        }
        return new LengthBuckets(edges, parts);
    }

    public int size() {
        return ratio.size();
    }

    /** Returns the bucket of a length: -1 if too short, {@link #size} if too long. */
    public int of(int length) {
        if (edges.isEmpty()) {
            return 0;
        }
        int bucket = -1;
        while (bucket + 1 < edges.size() && length >= edges.get(bucket + 1)) {
            bucket++;
        }
        return bucket;
    }

    /** For example {@code 500-1024}. */
    public String name(int bucket) {
        return edges.isEmpty() ? ALL : edges.get(bucket) + "-" + edges.get(bucket + 1);
    }

    /** Splits n by the ratio: rounded down, the rest by largest remainder, earlier buckets first. */
    public List<Long> quotas(long n) {
        long whole = ratio.stream().mapToLong(Integer::longValue).sum();
        List<Long> quotas =
                new ArrayList<>(ratio.stream().map(part -> n * part / whole).toList());
        long left = n - quotas.stream().mapToLong(Long::longValue).sum();
        IntStream.range(0, size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer bucket) -> n * ratio.get(bucket) % whole)
                        .reversed())
                .limit(left)
                .forEach(bucket -> quotas.set(bucket, quotas.get(bucket) + 1));
        return quotas;
    }
}

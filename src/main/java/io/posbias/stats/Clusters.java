package io.posbias.stats;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which rows of a sample belong together, such as queries of one passage: rows of a cluster may depend on each other,
 * clusters may not.
 *
 * @param of the cluster of each row, from 0; do not change it
 * @param count how many clusters there are; each holds a row
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Clusters(int[] of, int count) {
    /** Fewer clusters than this are few for an interval: its confidence is nominal only (Cameron and Miller 2015). */
    public static final int FEW = 20;

    /** Each row by itself. */
    public static Clusters single(int rows) {
        return new Clusters(IntStream.range(0, rows).toArray(), rows);
    }

    /** Rows of one name together. */
    public static Clusters named(List<String> names) {
        Map<String, Integer> numbers = HashMap.newHashMap(names.size());
        int[] of = new int[names.size()];
        for (int row = 0; row < of.length; row++) {
            of[row] = numbers.computeIfAbsent(names.get(row), name -> numbers.size());
        }
        return new Clusters(of, numbers.size());
    }

    /** Whether each row is a cluster by itself. */
    public boolean areSingle() {
        return count == of.length;
    }

    /** The clusters of some rows, counted anew. */
    public Clusters at(int[] rows) {
        int[] numbers = new int[count];
        Arrays.fill(numbers, -1);
        int next = 0;
        int[] own = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            int cluster = of[rows[i]];
            if (numbers[cluster] < 0) {
                numbers[cluster] = next++;
            }
            own[i] = numbers[cluster];
        }
        return new Clusters(own, next);
    }

    /** The rows of each cluster, the smallest cluster first, those of one size in their order. */
    int[][] bySize() {
        int[] sizes = new int[count];
        Arrays.stream(of).forEach(cluster -> sizes[cluster]++);
        int[][] rows = Arrays.stream(sizes).mapToObj(int[]::new).toArray(int[][]::new);
        Arrays.fill(sizes, 0);
        for (int row = 0; row < of.length; row++) {
            rows[of[row]][sizes[of[row]]++] = row;
        }
        Arrays.sort(rows, Comparator.comparingInt(own -> own.length));
        return rows;
    }

    /** By how much the spread of this many clusters is too small on average: G / (G - 1). */
    static double correction(int clusters) {
        return (double) clusters / (clusters - 1);
    }
}

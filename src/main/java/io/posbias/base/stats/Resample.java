package io.posbias.base.stats;

import java.util.Arrays;

/**
 * Rows of drawn clusters. A cluster that is drawn twice counts as two.
 *
 * @param rows of the sample that the clusters were drawn from
 * @param clusters of these rows
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Resample(int[] rows, Clusters clusters) {
    /**
     * Takes the rows of drawn clusters.
     *
     * @param members rows of each cluster, see {@link #members}
     * @param drawn numbers of clusters
     */
    public static Resample of(int[][] members, int[] drawn) {
        int size = Arrays.stream(drawn).map(cluster -> members[cluster].length).sum();
        int[] rows = new int[size];
        int[] of = new int[size];
        int next = 0;
        for (int number = 0; number < drawn.length; number++) {
            for (int row : members[drawn[number]]) {
                rows[next] = row;
                of[next++] = number;
            }
        }
        return new Resample(rows, new Clusters(of, drawn.length));
    }

    /** Rows of each cluster, ascending. */
    public static int[][] members(Clusters clusters) {
        int[] sizes = clusters.sizes();
        int[][] members = Arrays.stream(sizes).mapToObj(int[]::new).toArray(int[][]::new);
        int[] next = new int[sizes.length];
        for (int row = 0; row < clusters.of().length; row++) {
            int cluster = clusters.of()[row];
            members[cluster][next[cluster]++] = row;
        }
        return members;
    }
}

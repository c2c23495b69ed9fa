package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Queries whose evidence begins past what a model reads.
 *
 * @param queries with a known evidence span
 * @param unread queries whose evidence begins past the cut
 * @param readMinusUnread mean score of the other queries minus that of these, CR2 by cluster; null if one of both has fewer than
 *     two clusters or no variance
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Unread(int queries, int unread, @Nullable Estimate readMinusUnread) {
    /** Smaller shares change a bucket's mean by less than the width of its interval. */
    static final double LEAST = 0.05;

    /** From this share on no comparison is needed. */
    private static final double MOST = 0.95;

    /**
     * Counts the queries.
     *
     * @param values scores of all queries
     * @param members queries to count, by index
     * @return null if truncation is unknown, or nothing is unread
     */
    static @Nullable Unread of(
            double[] values, int[] members, EvidenceCuts cuts, Clusters clusters, double confidence) {
        int[] unread = some(members, cuts.startsPast()::get);
        if (!cuts.known() || unread.length == 0) {
            return null;
        }
        int[] read = some(
                members,
                query -> cuts.located().get(query) && !cuts.startsPast().get(query));
        int[][] both = {read, unread};
        return new Unread(
                read.length + unread.length,
                unread.length,
                read.length > 0 && Estimate.canContrast(values, both, clusters)
                        ? Estimate.ofContrast(values, both, new double[] {1, -1}, clusters, confidence)
                        : null);
    }

    private static int[] some(int[] members, IntPredicate which) {
        return Arrays.stream(members).filter(which).toArray();
    }

    public double share() {
        return (double) unread / queries;
    }

    /** True if it is at least {@value #LEAST} of the queries and they score lower, or nearly all. */
    boolean explains() {
        return share() >= MOST
                || (share() >= LEAST
                        && readMinusUnread != null
                        && readMinusUnread.interval().low() > 0);
    }
}

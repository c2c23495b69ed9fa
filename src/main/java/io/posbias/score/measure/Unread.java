package io.posbias.score.measure;

import io.posbias.score.measure.Truncation.EvidenceCuts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Queries whose evidence begins past what a model reads. That they score lower may be because they are harder; {@link LossParts}
 * and {@link UnreadContrast} say what not reading costs.
 *
 * @param queries with a known evidence span
 * @param unread queries whose evidence begins past the cut
 */
public record Unread(int queries, int unread) {
    /**
     * Counts the queries.
     *
     * @param members queries to count, by index
     * @return null if truncation is unknown, or nothing is unread
     */
    static @Nullable Unread of(int[] members, EvidenceCuts cuts) {
        int located = (int) Arrays.stream(members).filter(cuts.located()::get).count();
        int unread = (int) Arrays.stream(members).filter(cuts.startsPast()::get).count();
        return !cuts.known() || unread == 0 ? null : new Unread(located, unread);
    }

    public double share() {
        return (double) unread / queries;
    }
}

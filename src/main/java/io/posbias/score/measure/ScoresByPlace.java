package io.posbias.score.measure;

import io.posbias.data.dataset.Judgments;
import io.posbias.rank.Ranking;
import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Scores of a query with its evidence at each place of its passage.
 *
 * @param article title of the passage; empty if unknown
 * @param observed score on the original passage
 * @param found true if the passage is among the first {@value PositionLoss#TOP} hits; empty if unknown
 * @param natural true for the original text
 * @param broken number of adjacent sentences that were not adjacent in the passage
 * @param read how much of the evidence is read
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record ScoresByPlace(
        String query,
        String passage,
        String article,
        double observed,
        double[] scores,
        boolean[] found,
        boolean[] natural,
        int[] broken,
        Read[] read) {
    boolean isReadKnown() {
        return Arrays.stream(read).noneMatch(Read.UNKNOWN::equals);
    }

    /** Returns true if the evidence is read whole at a place, from 0. */
    boolean isReadAt(int place) {
        return read[place] == Read.WHOLE;
    }

    boolean isReadSomewhere() {
        return Arrays.asList(read).contains(Read.WHOLE);
    }

    boolean isReadEverywhere() {
        return Arrays.stream(read).allMatch(Read.WHOLE::equals);
    }

    /** Returns true if a relevant passage is among the first {@value PositionLoss#TOP} hits. */
    public static boolean isFound(Ranking ranking, Judgments judgments) {
        return Measure.relevantRanks(ranking, judgments, PositionLoss.TOP)
                .findFirst()
                .isPresent();
    }

    ScoresByPlace minus(double[] others) {
        double[] differences = IntStream.range(0, scores.length)
                .mapToDouble(place -> scores[place] - others[place])
                .toArray();
        return new ScoresByPlace(query, passage, article, observed, differences, found, natural, broken, read);
    }

    /** Prefixes the names, to make those of several benchmarks distinct. */
    public ScoresByPlace prefixed(String prefix) {
        return new ScoresByPlace(
                prefix + query,
                prefix + passage,
                article.isEmpty() ? "" : prefix + article,
                observed,
                scores,
                found,
                natural,
                broken,
                read);
    }
}

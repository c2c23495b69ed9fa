package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The verdict names the first cause that explains the numbers. */
class VerdictTest {
    private static final int QUERIES = 400;

    /** Query i has its evidence in fifth i % 5 of a passage of its own. */
    private static Profile profile(int queries, IntToDoubleFunction score, IntFunction<Read> read) {
        List<Query> list = IntStream.range(0, queries)
                .mapToObj(i -> new Query(
                        "q" + i,
                        "?",
                        new Evidence(i % 5 * 20 + 5, i % 5 * 20 + 10, 100, Evidence.UNKNOWN, List.of(), null)))
                .toList();
        List<@Nullable Read> reads = new ArrayList<>();
        IntStream.range(0, queries).forEach(i -> reads.add(read.apply(i)));
        double[] scores = IntStream.range(0, queries).mapToDouble(score).toArray();
        return new Profiler(Settings.USUAL.withDraws(500), 1)
                .profiles(
                        new Scores(list, List.of(Measures.parse("nDCG@10")), new double[][] {scores}),
                        QueryBuckets.of(list, Bucketing.parse("relative:5")),
                        new SearchFacts(List.of(EvidenceCuts.of(reads)), null))
                .getFirst();
    }

    private static @Nullable Verdict verdict(int queries, IntToDoubleFunction score) {
        return profile(queries, score, i -> Read.WHOLE).judged(false).verdict();
    }

    /** Noise that is the same in all fifths. */
    private static double noise(int i) {
        return i / 5 * 7 % 10 / 50.0;
    }

    private static double falling(int i) {
        return 0.7 - i % 5 * 0.1 + noise(i);
    }

    @Test
    void littleTellsNothing() {
        assertThat(verdict(15, VerdictTest::falling)).isEqualTo(Verdict.TOO_FEW);
        assertThat(verdict(QUERIES, i -> i == 3 ? 0.6 : 1)).isEqualTo(Verdict.TOO_EASY);
        assertThat(verdict(QUERIES, i -> i == 3 ? 0.4 : 0)).isEqualTo(Verdict.TOO_HARD);
        assertThat(verdict(QUERIES, i -> 0)).isEqualTo(Verdict.TOO_HARD);
    }

    @Test
    void theContentIsTheCauseWhereTheModelKnowsNoPositions() {
        Profile profile = profile(QUERIES, VerdictTest::falling, i -> Read.WHOLE);
        assertThat(profile.judged(true).verdict()).isEqualTo(Verdict.CONTENT);
        assertThat(profile.judged(false).verdict()).isEqualTo(Verdict.OPEN);
        assertThat(verdict(QUERIES, i -> 0.5 + noise(i))).isEqualTo(Verdict.EVEN);
    }

    @Test
    void whatIsNotReadComesFirst() {
        // The last two fifths are not read, and score lower.
        IntFunction<Read> read = i -> i % 5 > 2 ? Read.NONE : Read.WHOLE;
        Profile profile = profile(QUERIES, i -> (i % 5 > 2 ? 0.2 : 0.7) + noise(i), read);
        assertThat(profile.judged(false).verdict()).isEqualTo(Verdict.UNREAD);
        Unread unread = Objects.requireNonNull(profile.unread());
        assertThat(unread.share()).isEqualTo(0.4);
        assertThat(Objects.requireNonNull(unread.readMinusUnread()).value()).isBetween(0.49, 0.51);
        // What is not read but scores as well explains nothing.
        assertThat(profile(QUERIES, i -> 0.5 + noise(i), read).judged(false).verdict())
                .isEqualTo(Verdict.EVEN);
        // One query in a hundred is too little to explain a fall.
        assertThat(profile(QUERIES, VerdictTest::falling, i -> i % 100 == 4 ? Read.NONE : Read.WHOLE)
                        .judged(false)
                        .verdict())
                .isEqualTo(Verdict.OPEN);
        assertThat(profile(QUERIES, VerdictTest::falling, i -> Read.UNKNOWN).unread())
                .isNull();
    }
}

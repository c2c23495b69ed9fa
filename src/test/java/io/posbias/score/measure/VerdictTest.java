package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.stats.Clusters;
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

    /** The verdict beside a position-blind model with these scores. */
    private static List<Verdict> beside(IntToDoubleFunction score, IntToDoubleFunction blind, IntFunction<Read> read) {
        List<@Nullable Read> reads = new ArrayList<>();
        IntStream.range(0, QUERIES).forEach(i -> reads.add(read.apply(i)));
        UnreadContrast contrast = UnreadContrast.of(
                IntStream.range(0, QUERIES).mapToDouble(score).toArray(),
                IntStream.range(0, QUERIES).mapToDouble(blind).toArray(),
                EvidenceCuts.of(reads),
                Clusters.single(QUERIES),
                0.95);
        return profile(QUERIES, score, read).verdicts(false, contrast);
    }

    /** The last two fifths are not read. */
    private static Read lateUnread(int i) {
        return i % 5 > 2 ? Read.NONE : Read.WHOLE;
    }

    @Test
    void whatIsNotReadIsTheCauseWhereABlindModelLosesLess() {
        IntToDoubleFunction late = i -> (i % 5 > 2 ? 0.2 : 0.7) + noise(i);
        assertThat(beside(late, i -> 0.5 + noise(i + 5), VerdictTest::lateUnread))
                .containsExactly(Verdict.UNREAD);
        // Questions that the blind model finds as hard.
        assertThat(beside(late, i -> (i % 5 > 2 ? 0.15 : 0.65) + noise(i + 5), VerdictTest::lateUnread))
                .containsExactly(Verdict.OPEN);
        // In points less than the blind model, of a higher level; as a share more.
        assertThat(beside(
                        i -> (i % 5 > 2 ? 0.1 : 0.2) + noise(i),
                        i -> (i % 5 > 2 ? 0.5 : 0.7) + noise(i + 5),
                        VerdictTest::lateUnread))
                .containsExactly(Verdict.OPEN);
        // Without a blind model it is not said.
        Profile alone = profile(QUERIES, late, VerdictTest::lateUnread);
        assertThat(alone.judged(false).verdicts()).containsExactly(Verdict.OPEN);
        assertThat(Objects.requireNonNull(alone.unread()).share()).isEqualTo(0.4);
    }

    /** 39 of 40 questions past the limit score higher there. */
    @Test
    void higherScoresOfUnreadQuestionsAreNoLoss() {
        IntFunction<Read> read = i -> i % 40 == 0 ? Read.WHOLE : Read.NONE;
        IntToDoubleFunction score = i -> (i % 40 == 0 ? 0.1 : 0.6) + noise(i);
        assertThat(beside(score, i -> 0.5 + noise(i + 5), read)).doesNotContain(Verdict.UNREAD);
    }

    @Test
    void tooFewQuestionsOfASideAreNotCompared() {
        IntFunction<Read> read = i -> i < 8 ? Read.NONE : i < 16 ? Read.PART : Read.WHOLE;
        assertThat(beside(i -> (i < 8 ? 0.05 : 0.6) + noise(i), i -> 0.5 + noise(i + 5), read))
                .doesNotContain(Verdict.UNREAD);
    }
}

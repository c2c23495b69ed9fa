package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.data.position.Bucketing;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfilerTest {
    private static final Measure MEASURE = Measures.parse("nDCG@10");

    @TempDir
    Path temp;

    private static Query query(int number, int start, int tokens) {
        return new Query("q" + number, "?", new Evidence(start, start, 1000, tokens, List.of(), null));
    }

    private static List<Profile> profiles(List<Query> queries, double[] scores, String buckets, Profiler profiler) {
        Scores computed = new Scores(queries, List.of(MEASURE), new double[][] {scores});
        return profiler.profiles(computed, QueryBuckets.of(queries, Bucketing.parse(buckets)));
    }

    private static Profiler profiler(int thinBelow, int draws, int seed, int threads) {
        Settings settings = Settings.USUAL
                .with("thinBelow", thinBelow)
                .withDraws(draws)
                .withSeed(seed)
                .withConfidence(0.95);
        return new Profiler(settings, threads);
    }

    private static Profiler withoutNoise() {
        return profiler(2, 0, 42, 1);
    }

    @Test
    void averagesWithinBucketsAndOverQueries() {
        List<Query> queries = List.of(query(0, 10, -1), query(1, 100, -1), query(2, 150, -1), query(3, 500, -1));
        Profile profile = profiles(
                        queries, new double[] {1, 0.5, 0.2, 0.7}, "characters-closed:0,100,200,300", withoutNoise())
                .getFirst();
        // The query at 100 is in both buckets; the one at 500 in none; 200-300 is empty.
        assertThat(profile.buckets()).extracting(BucketMean::queries).containsExactly(2, 2, 0);
        assertThat(profile.buckets().get(0).mean()).isEqualTo(0.75);
        assertThat(profile.buckets().get(1).mean()).isEqualTo(0.35);
        assertThat(profile.buckets().get(2).mean()).isNull();
        assertThat(profile.buckets()).extracting(BucketMean::thin).containsExactly(false, false, true);
        assertThat(profile.queryMean()).isEqualTo((1 + 0.5 + 0.2 + 0.7) / 4);
        assertThat(Objects.requireNonNull(profile.bucketMean())).isCloseTo((0.75 + 0.35) / 2, within(1e-12));
        assertThat(Objects.requireNonNull(profile.psi().value())).isCloseTo(1 - 0.35 / 0.75, within(1e-12));
    }

    @Test
    void crossesPositionsWithLengths() {
        List<Query> queries = List.of(query(0, 10, 100), query(1, 900, 600), query(2, 910, 700), query(3, 20, -1));
        List<Profile> profiles =
                profiles(queries, new double[] {1, 0.5, 0.3, 0.1}, "relative:2 by tokens:512", withoutNoise());
        assertThat(profiles).extracting(Profile::stratum).containsExactly("all", "Q1", "Q2");
        assertThat(profiles).extracting(Profile::queries).containsExactly(4, 1, 2);
        assertThat(profiles.get(2).bucketMean()).isEqualTo(0.4);
        assertThat(profiles.get(2).psi().undefined()).isEqualTo("fewer than two buckets hold queries");
    }

    @Test
    void psiIsUndefinedRatherThanNotANumber() {
        List<Query> queries = List.of(query(0, 10, -1), query(1, 900, -1));
        Psi zeros = profiles(queries, new double[] {0, 0}, "relative:2", profiler(1, 100, 1, 1))
                .getFirst()
                .psi();
        assertThat(zeros.value()).isNull();
        assertThat(zeros.undefined()).isEqualTo("all buckets score 0");
        assertThat(zeros.pValue()).isNull();
        Psi lonely = profiles(queries.subList(0, 1), new double[] {1}, "relative:2", profiler(1, 100, 1, 1))
                .getFirst()
                .psi();
        assertThat(lonely.undefined()).isEqualTo("fewer than two buckets hold queries");
        Psi none = profiles(List.of(new Query("q", "?", null)), new double[] {1}, "relative:2", profiler(1, 100, 1, 1))
                .getFirst()
                .psi();
        assertThat(none.undefined()).isEqualTo("fewer than two buckets hold queries");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void noiseDoesNotDependOnThreads(int threads) {
        Random random = new Random(3);
        List<Query> queries = new ArrayList<>();
        double[] scores = new double[500];
        for (int i = 0; i < scores.length; i++) {
            queries.add(query(i, random.nextInt(1000), -1));
            scores[i] = random.nextInt(3) / 2.0;
        }
        Psi psi = profiles(queries, scores, "relative:5", profiler(30, 1000, 42, threads))
                .getFirst()
                .psi();
        Psi same = profiles(queries, scores, "relative:5", profiler(30, 1000, 42, 3))
                .getFirst()
                .psi();
        assertThat(psi).isEqualTo(same);
        assertThat(Objects.requireNonNull(psi.noise95()))
                .isGreaterThan(Objects.requireNonNull(psi.noiseFloor()).mean());
        assertThat(Objects.requireNonNull(psi.pValue())).isGreaterThan(0.001);
        Psi otherSeed = profiles(queries, scores, "relative:5", profiler(30, 1000, 43, 3))
                .getFirst()
                .psi();
        assertThat(Objects.requireNonNull(otherSeed.noiseFloor()).mean())
                .isNotEqualTo(Objects.requireNonNull(psi.noiseFloor()).mean());
    }

    /** The issue's own simulation: no position effect, mean 0.55, 3 buckets of 1,000 show a mean PSI of 0.04. */
    @Test
    void theNoiseFloorIsThatOfASystemWithoutBias() {
        Random random = new Random(11);
        List<Query> queries = new ArrayList<>();
        double[] scores = new double[3000];
        for (int i = 0; i < scores.length; i++) {
            queries.add(query(i, 1 + 333 * (i % 3), -1));
            scores[i] = random.nextDouble() < 0.55 ? 1 : 0;
        }
        Psi psi = profiles(queries, scores, "relative:3", profiler(30, 4000, 42, 2))
                .getFirst()
                .psi();
        assertThat(Objects.requireNonNull(psi.noiseFloor()).mean()).isBetween(0.03, 0.06);
    }

    /** Rule 1: the loop goes over the judged queries, and nothing found is 0, in every kind of emptiness. */
    @Test
    void aJudgedQueryWithoutAnAnswerScoresZero() {
        Dataset dataset = TinyBenchmark.in(temp).open();
        List<Measure> measures = List.of(MEASURE, Measures.parse("RR"));
        Run absent = new Run(dataset.passages().ids(), List.of(), List.of());
        Run empty = new Run(dataset.passages().ids(), List.of("q1", "q2"), List.of(Ranking.EMPTY, Ranking.EMPTY));
        Run half =
                new Run(dataset.passages().ids(), List.of("q1"), List.of(Ranking.of(new int[] {2}, new float[] {1})));
        assertThat(Scores.of(absent, dataset, measures, 1).of(0)).containsExactly(0, 0);
        assertThat(Scores.of(empty, dataset, measures, 1).of(1)).containsExactly(0, 0);
        assertThat(Scores.of(half, dataset, measures, 2).of(0)).containsExactly(1, 0);
        assertThat(DoubleStream.of(Scores.of(half, dataset, measures, 2).of(1)).sum())
                .isEqualTo(1);
    }

    @Test
    void queriesWithoutJudgementsAreLeftOut() {
        Dataset dataset = TinyBenchmark.in(temp)
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq2\tp2\t1\n")
                .open();
        Run run = new Run(dataset.passages().ids(), List.of("q1"), List.of(Ranking.of(new int[] {2}, new float[] {1})));
        Scores scores = Scores.of(run, dataset, List.of(MEASURE), 1);
        assertThat(scores.queries()).extracting(Query::id).containsExactly("q2");
        assertThat(scores.of(0)).containsExactly(0);
    }
}

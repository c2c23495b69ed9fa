package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.rank.BestHits;
import io.posbias.rank.Ranking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankingTest {
    private record Hit(int passage, float score) {}

    private static final Comparator<Hit> ORDER =
            Comparator.comparingDouble(Hit::score).reversed().thenComparingInt(Hit::passage);

    @Provide
    Arbitrary<List<Float>> scores() {
        Arbitrary<Float> few = Arbitraries.of(-1.5f, -0f, 0f, 1e-40f, 0.5f, 2f);
        Arbitrary<Float> any = Arbitraries.floats().between(-1e30f, 1e30f);
        return Arbitraries.oneOf(few, any).list().ofMaxSize(200);
    }

    private static List<Hit> shuffledHits(List<Float> scores) {
        List<Hit> hits = new ArrayList<>();
        for (int i = 0; i < scores.size(); i++) {
            hits.add(new Hit((i * 37) % 211, scores.get(i)));
        }
        return hits;
    }

    private static Ranking ranking(List<Hit> hits) {
        float[] scores = new float[hits.size()];
        IntStream.range(0, scores.length).forEach(i -> scores[i] = hits.get(i).score());
        return Ranking.of(hits.stream().mapToInt(Hit::passage).toArray(), scores);
    }

    private static List<Hit> hits(Ranking ranking) {
        return IntStream.range(0, ranking.size())
                .mapToObj(rank -> new Hit(ranking.passage(rank), ranking.score(rank)))
                .toList();
    }

    @Property
    void ordersByScoreThenOrdinal(@ForAll("scores") List<Float> scores) {
        // -0 and 0 are the same score.
        List<Hit> hits = shuffledHits(scores.stream().map(score -> score + 0f).toList());
        assertThat(hits(ranking(hits))).isEqualTo(hits.stream().sorted(ORDER).toList());
    }

    @Property
    void theBestHitsAreTheFirstOfTheRanking(
            @ForAll("scores") List<Float> scores, @ForAll @IntRange(min = 1, max = 70) int k) {
        BestHits best = BestHits.positive(k);
        for (int round = 0; round < 2; round++) {
            List<Hit> hits = shuffledHits(scores);
            hits.forEach(hit -> best.offer(hit.passage(), hit.score()));
            List<Hit> expected = hits.stream()
                    .filter(hit -> hit.score() > 0)
                    .sorted(ORDER)
                    .limit(k)
                    .toList();
            assertThat(hits(best.take())).isEqualTo(expected);
        }
    }

    /** Rising, falling, equal and alternating scores: orders that are unlucky for a selection. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void theBestHitsAreKeptInUnluckyOrders(int order) {
        int n = 5000;
        float[] scores = new float[n];
        for (int i = 0; i < n; i++) {
            scores[i] = new float[] {i, -i, 7, (i & 1) == 0 ? i : -i}[order];
        }
        BestHits best = BestHits.any(100);
        for (int i = 0; i < n; i++) {
            best.offer(i, scores[i]);
        }
        Ranking all = Ranking.of(IntStream.range(0, n).toArray(), scores);
        assertThat(hits(best.take())).isEqualTo(hits(all.top(100)));
    }

    @Test
    void refusesAPassageFoundTwice() {
        assertThatThrownBy(() -> Ranking.of(new int[] {4, 2, 4}, new float[] {3, 2, 1}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("passage 4 found twice");
    }

    @Test
    void refusesScoresThatAreNoNumbers() {
        assertThatThrownBy(() -> Ranking.of(new int[] {1}, new float[] {Float.NaN}))
                .hasMessageContainingAll("passage", "NaN");
        assertThatThrownBy(() -> Ranking.of(new int[] {1}, new float[] {Float.NEGATIVE_INFINITY}))
                .hasMessageStartingWith("a passage has the score -Infinity");
    }

    @Test
    void cutsToTheFirst() {
        Ranking ranking = Ranking.of(new int[] {1, 2, 3}, new float[] {1, 3, 2});
        assertThat(hits(ranking.top(2))).containsExactly(new Hit(2, 3), new Hit(3, 2));
        assertThat(ranking.top(9)).isSameAs(ranking);
    }
}

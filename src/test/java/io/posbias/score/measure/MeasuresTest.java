package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Judgments;
import io.posbias.rank.Ranking;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeasuresTest {
    /** Passages 10 to 14 at ranks 1 to 5 with falling scores. */
    private static final Ranking FIVE =
            Ranking.of(new int[] {10, 11, 12, 13, 14}, new float[] {0.9f, 0.8f, 0.7f, 0.6f, 0.5f});

    private static double log2(double x) {
        return Math.log(x) / Math.log(2);
    }

    private static double score(String measure, Ranking ranking, Map<Integer, Integer> grades) {
        return Measures.parse(measure).score(ranking, Judgments.of(grades));
    }

    static Stream<String> examples() {
        return Measures.KINDS.stream().map(Measures.Kind::example);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void printsAsItParses(String name) {
        assertThat(Measures.parse(name)).hasToString(name).isEqualTo(Measures.parse(name));
        assertThat(Measures.parse(name).cutoff()).isEqualTo(name.endsWith("100") ? 100 : 10);
    }

    /** As ir_measures, trec_eval -m all_trec, BEIR's EvaluateRetrieval and MTEB's result files write them. */
    @ParameterizedTest
    @CsvSource({
        "ndcg@10, nDCG@10",
        "NDCG@10, nDCG@10",
        "ndcg_cut_10, nDCG@10",
        "ndcg_at_10, nDCG@10",
        "ndcg, nDCG",
        "NDCG_TIEAVG@10, nDCG_tieavg@10",
        "recall@100, R@100",
        "recall_100, R@100",
        "Recall@100, R@100",
        "recall_at_100, R@100",
        "r@5, R@5",
        "mrr@10, RR@10",
        "recip_rank, RR",
        "mrr_at_1000, RR@1000",
        "map, AP",
        "map_cut_10, AP@10",
        "MAP@100, AP@100",
        "P_5, P@5",
        "precision_at_10, P@10",
    })
    void namesOfOtherToolsAreUnderstood(String given, String name) {
        assertThat(Measures.parse(given)).hasToString(name).isEqualTo(Measures.parse(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nDCG", "RR", "AP", "nDCG_tieavg"})
    void someNeedNoCutoff(String name) {
        assertThat(Measures.parse(name)).hasToString(name);
        assertThat(Measures.parse(name).cutoff()).isEqualTo(Measure.NO_CUTOFF);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ndgc@10|unknown measure \"ndgc@10\"; did you mean nDCG@10? Known: nDCG@10, nDCG_tieavg@10, R@100, RR@10,"
                        + " AP@10, P@10, Success@10",
                "bpref@10|unknown measure \"bpref@10\"; known: nDCG@10, nDCG_tieavg@10, R@100, RR@10, AP@10, P@10,"
                        + " Success@10",
                "recall|measure \"recall\" needs a cutoff, as in R@100",
                "nDCG@0|unknown measure \"nDCG@0\"; did you mean nDCG@10? Known: nDCG@10, nDCG_tieavg@10, R@100, RR@10,"
                        + " AP@10, P@10, Success@10",
                "R|measure \"R\" needs a cutoff, as in R@100",
                "P|measure \"P\" needs a cutoff, as in P@10",
            })
    void unknownNamesAreUsageErrors(String name, String message) {
        assertThatThrownBy(() -> Measures.parseAll("nDCG@10, " + name))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void gradesAreGains() {
        Map<Integer, Integer> grades = Map.of(11, 1, 13, 3, 99, 2, 10, 0, 12, -1);
        double found = 1 / log2(3) + 3 / log2(5);
        double ideal = 3 / log2(2) + 2 / log2(3) + 1 / log2(4);
        assertThat(score("nDCG@10", FIVE, grades)).isCloseTo(found / ideal, within(1e-12));
        assertThat(score("nDCG@3", FIVE, grades)).isCloseTo(1 / log2(3) / ideal, within(1e-12));
        assertThat(score("nDCG@1", FIVE, grades)).isZero();
        assertThat(score("R@3", FIVE, grades)).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(score("R@5", FIVE, grades)).isCloseTo(2 / 3.0, within(1e-12));
        assertThat(score("P@5", FIVE, grades)).isCloseTo(2 / 5.0, within(1e-12));
        assertThat(score("P@10", FIVE, grades)).isCloseTo(2 / 10.0, within(1e-12));
        assertThat(score("Success@1", FIVE, grades)).isZero();
        assertThat(score("success_5", FIVE, grades)).isEqualTo(1);
        assertThat(score("RR", FIVE, grades)).isEqualTo(0.5);
        assertThat(score("RR@1", FIVE, grades)).isZero();
        assertThat(score("AP", FIVE, grades)).isCloseTo((1 / 2.0 + 2 / 4.0) / 3, within(1e-12));
        assertThat(score("AP@3", FIVE, grades)).isCloseTo(1 / 2.0 / 3, within(1e-12));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anEmptyRankingAndNoRelevantPassageScoreZero(String name) {
        assertThat(score(name, Ranking.EMPTY, Map.of(10, 1))).isZero();
        assertThat(score(name, FIVE, Map.of(10, 0))).isZero();
        assertThat(score(name, FIVE, Map.of(77, 1))).isZero();
    }

    @Test
    void tiedPassagesShareTheirDiscounts() {
        // McSherry and Najork: the mean of the discounts of ranks 2 and 3.
        Ranking tied = Ranking.of(new int[] {1, 2, 3, 4}, new float[] {3, 2, 2, 1});
        double shared = (1 / log2(3) + 1 / log2(4)) / 2;
        assertThat(score("nDCG_tieavg@10", tied, Map.of(2, 1))).isCloseTo(shared, within(1e-12));
        assertThat(score("nDCG_tieavg@10", tied, Map.of(3, 1))).isCloseTo(shared, within(1e-12));
        // A tie across the cutoff: the second of both ranks has no discount, so each gets half of the first.
        assertThat(score("nDCG_tieavg@2", tied, Map.of(3, 1))).isCloseTo(1 / log2(3) / 2, within(1e-12));
        // trec_eval's nDCG keeps to the order of ids instead.
        assertThat(score("nDCG@2", tied, Map.of(3, 1))).isZero();
    }

    @Property
    void withoutTiesBothKindsOfNdcgAgree(
            @ForAll @Size(min = 1, max = 30) List<@IntRange(min = -1, max = 3) Integer> grades,
            @ForAll @IntRange(min = 1, max = 40) int k) {
        int[] passages = new int[grades.size()];
        float[] scores = new float[grades.size()];
        Map<Integer, Integer> judged = new HashMap<>(Map.of(999, 2));
        for (int i = 0; i < passages.length; i++) {
            passages[i] = i;
            scores[i] = 100 - i;
            judged.put(i, grades.get(i));
        }
        Ranking ranking = Ranking.of(passages, scores);
        double plain = score("nDCG@" + k, ranking, judged);
        assertThat(score("nDCG_tieavg@" + k, ranking, judged)).isCloseTo(plain, within(1e-12));
        assertThat(plain).isBetween(0.0, 1 + 1e-12);
    }

    @Property
    void measuresLieBetweenZeroAndOneAndAnIdealRankingScoresOne(
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 4) Integer> grades) {
        List<Integer> best = grades.stream().sorted(Comparator.reverseOrder()).toList();
        int[] passages = new int[best.size()];
        float[] scores = new float[best.size()];
        Map<Integer, Integer> judged = new HashMap<>();
        for (int i = 0; i < passages.length; i++) {
            passages[i] = i;
            scores[i] = -i;
            judged.put(i, best.get(i));
        }
        Ranking ranking = Ranking.of(passages, scores);
        for (String name : List.of("nDCG", "nDCG@3", "nDCG_tieavg@3", "AP", "RR", "RR@1", "R@12", "P@1", "Success@1")) {
            assertThat(score(name, ranking, judged)).as(name).isCloseTo(1, within(1e-12));
        }
    }
}

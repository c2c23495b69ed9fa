package io.posbias.model.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.rank.Ranking;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FusionTest {
    private static final Ranking ONE = Ranking.of(new int[] {7, 8, 9}, new float[] {5, 3, 1});
    private static final Ranking OTHER = Ranking.of(new int[] {9, 7}, new float[] {0.5f, 0.25f});

    private static void assertFused(
            Map<String, Object> fields,
            List<Ranking> rankings,
            int @Nullable [] pool,
            int[] passages,
            double... scores) {
        Ranking fused = of(fields).fuse(rankings, pool);
        assertThat(fused.passages()).containsExactly(passages);
        for (int i = 0; i < scores.length; i++) {
            assertThat(fused.score(i)).isEqualTo((float) scores[i]);
        }
    }

    private static Fusion of(Map<String, Object> fields) {
        return Json.settings(new Fields(new Location(Path.of("r.yaml"), 1), Map.copyOf(fields)), Fusion.class);
    }

    @Test
    void reciprocalRanksCountFromOne() {
        assertFused(
                Map.of(),
                List.of(ONE, OTHER),
                null,
                new int[] {7, 9, 8},
                1.0 / 61 + 1.0 / 62,
                1.0 / 63 + 1.0 / 61,
                1.0 / 62);
        assertFused(
                Map.of("k", 1), List.of(ONE, OTHER), null, new int[] {7, 9, 8}, 1.0 / 2 + 1.0 / 3, 1.0 / 4 + 1.0 / 2);
    }

    @Test
    void weightsAreOfTheRecipesInTheirOrder() {
        assertFused(
                Map.of("weights", List.of(1, 3)),
                List.of(ONE, OTHER),
                null,
                new int[] {9, 7, 8},
                1.0 / 63 + 3.0 / 61,
                1.0 / 61 + 3.0 / 62,
                1.0 / 62);
    }

    /** 7: 1 + 0; 8: (3 - 1) / 4; 9: 0 + 1. Ties go by ordinal. */
    @Test
    void minMaxIsByTheRangeOfEachRanking() {
        assertFused(Map.of("method", "min-max"), List.of(ONE, OTHER), null, new int[] {7, 9, 8}, 1, 1, 0.5);
        assertFused(
                Map.of("method", "min-max", "weights", List.of(1, 0.25)),
                List.of(ONE, OTHER),
                null,
                new int[] {7, 8, 9},
                1,
                0.5,
                0.25);
    }

    @Test
    void whereAllScoresAreEqualEachCountsOne() {
        Ranking equal = Ranking.of(new int[] {3, 4}, new float[] {2, 2});
        assertFused(Map.of("method", "min-max"), List.of(equal, equal), null, new int[] {3, 4}, 2, 2);
        assertFused(Map.of("method", "min-max"), List.of(Ranking.EMPTY, Ranking.EMPTY), null, new int[0]);
    }

    /** Two passages of one score are neither before the other: a probe's two texts must not differ by their names. */
    @Test
    void passagesOfOneScoreShareTheBestOfTheirRanks() {
        Ranking tied = Ranking.of(new int[] {1, 2, 3, 4}, new float[] {9, 5, 5, 1});
        assertFused(
                Map.of(), List.of(tied, tied), null, new int[] {1, 2, 3, 4}, 2.0 / 61, 2.0 / 62, 2.0 / 62, 2.0 / 64);
    }

    @Test
    void candidatesThatNoRankingHasScoreNothing() {
        assertFused(Map.of(), List.of(ONE, OTHER), new int[] {5, 7, 8, 9}, new int[] {7, 9, 8, 5}, 1.0 / 61 + 1.0 / 62);
        Ranking fused = of(Map.of()).fuse(List.of(ONE, OTHER), new int[] {5, 7, 8, 9});
        assertThat(fused.score(3)).isZero();
    }

    @Test
    void settingsAreChecked() {
        assertThat(of(Map.of())).isEqualTo(new Fusion(Fusion.Method.RRF, null, List.of()));
        assertThatThrownBy(() -> RecipeBook.find("bm25-lucene+fused:weights=[1]"))
                .hasMessageContainingAll("\"weights\" has 1", "2 recipes");
        assertThatThrownBy(() -> of(Map.of("weights", List.of(1, 0))))
                .hasMessageContainingAll("r.yaml:1:", "\"weights[1]\" is 0", "above 0");
        assertThatThrownBy(() -> of(Map.of("method", "min-max", "k", 60)))
                .hasMessageContainingAll("\"k\"", "method: min-max");
        assertThatThrownBy(() -> of(Map.of("k", 0))).hasMessageContaining("field \"k\" is 0");
    }
}

package io.posbias.rank;

import static io.posbias.rank.TruncationReport.NEVER_READ;
import static io.posbias.rank.TruncationReport.UNKNOWN;
import static io.posbias.rank.TruncationReport.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TruncationsTest {
    private static TruncationReport passages(String model, int... seen) {
        return TruncationReport.ofPassages(model, 8, seen, 1);
    }

    private static TruncationReport pairs(String model, long total, Map<String, Map<Integer, Integer>> cut) {
        return new TruncationReport(model, 8, TruncationReport.Unit.PAIRS, total, cut.size(), 1, true, new int[0], cut);
    }

    @Test
    void theLeastThatAModelReadsCounts() {
        Truncations both = Truncations.of(passages("a", WHOLE, 5, 9, NEVER_READ))
                .and(Truncations.of(pairs("b", 4, Map.of("q", Map.of(2, 3)))));
        assertThat(List.of(both.seen("q", 0), both.seen("q", 1), both.seen("q", 2), both.seen("q", 3)))
                .containsExactly(WHOLE, 5, 3, WHOLE);
        assertThat(both.seen("other", 2)).isEqualTo(9);
        assertThat(both.after(Truncations.of(passages("c", 4, WHOLE, 1, 0))).seen("q", 2))
                .isEqualTo(1);
        assertThat(both.and(Truncations.of(passages("api", UNKNOWN, WHOLE, WHOLE, WHOLE)))
                        .seen("q", 2))
                .isEqualTo(UNKNOWN);
        assertThat(Truncations.NONE.seen("q", 0)).isEqualTo(WHOLE);
    }

    /** Two rerankers of one dense model's candidates, fused with that model. */
    @Test
    void aModelIsReportedOnce() {
        Truncations first = Truncations.of(passages("dense", 1, WHOLE));
        Truncations all = Truncations.of(pairs("x", 1, Map.of()))
                .after(first)
                .and(Truncations.of(pairs("y", 1, Map.of())).after(first));
        assertThat(all.all()).extracting(TruncationReport::stage).containsExactly("x", "y", "dense");
        assertThat(all.and(first).firstStage()).isEmpty();
        assertThat(all.and(first).all()).extracting(TruncationReport::stage).containsExactly("x", "y", "dense");
        assertThat(Truncations.of(passages("dense", 1, WHOLE))
                        .and(Truncations.of(passages("dense", 1, 1)))
                        .models())
                .extracting(TruncationReport::cut)
                .containsExactly(2L);
    }

    @Test
    void searchesForOtherQueriesAddUp() {
        Truncations encoded = Truncations.NONE
                .plus(Truncations.of(passages("a", 5, NEVER_READ, NEVER_READ)))
                .plus(Truncations.of(passages("a", 5, WHOLE, NEVER_READ)));
        assertThat(encoded.models())
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(TruncationReport.ofPassages("a", 8, new int[] {5, WHOLE, NEVER_READ}, 2));
        Truncations scored = Truncations.of(pairs("b", 3, Map.of("q", Map.of(0, 1))))
                .plus(Truncations.of(pairs("b", 4, Map.of("r", Map.of(1, 2)))));
        assertThat(scored.seen("q", 0)).isEqualTo(1);
        assertThat(scored.seen("r", 1)).isEqualTo(2);
        assertThat(scored.models().getFirst().total()).isEqualTo(7);
        assertThat(scored.models().getFirst().cut()).isEqualTo(2);
        assertThat(scored.models().getFirst().queriesCut()).isEqualTo(2);
    }
}

package io.posbias.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DifferencesTest {
    private static String said(Map<String, ?> wanted, Map<String, ?> found) {
        return Differences.said(Differences.of(wanted, found, Set.of("citation")));
    }

    @Test
    void aNumberReadBackIsTheSame() {
        assertThat(said(Map.of("k", 10), Map.of("k", 10.0))).isEmpty();
        assertThat(said(Map.of("thin_below", 30), Map.of("thin_below", 20))).matches("thin-below 30, .* 20");
        assertThat(said(Map.of("k", 1), Map.of("k", 1, "b", 0.4))).isEqualTo("b none, the finished result has 0.4");
    }

    @Test
    void ofRecordsWithinTheFieldIsNamed() {
        Map<String, ?> inner = Map.of("name", "m", "pooling", "mean", "citation", "A 2020");
        Map<String, ?> other = Map.of("name", "m", "pooling", "cls", "citation", "B 2021");
        assertThat(said(Map.of("model", inner), Map.of("model", other))).matches("model.pooling mean, .* cls");
        assertThat(said(Map.of("with", List.of("bm25", inner)), Map.of("with", List.of("bm25", other))))
                .matches("with.2.pooling mean, .* cls");
        assertThat(said(Map.of("with", List.of("bm25")), Map.of("with", List.of("bm25", other))))
                .matches("with bm25, .* bm25,m");
        assertThat(said(Map.of("model", "bm25"), Map.of("model", other)))
                .isEqualTo("model bm25, the finished result has m");
    }

    /** Two kinds share few fields: what only the first has is no news. */
    @Test
    void ofAnotherKindOnlyWhatTheSecondHas() {
        assertThat(said(Map.of("kind", "dense", "pooling", "mean"), Map.of("kind", "bm25")))
                .matches("kind dense, .* bm25");
    }
}

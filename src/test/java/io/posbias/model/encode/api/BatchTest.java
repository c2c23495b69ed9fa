package io.posbias.model.encode.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.model.encode.CallEstimate;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {
    @Test
    void textsGoInOrderAsManyAsFit() {
        List<String> texts = List.of("a", "b", "c", "d", "e");
        assertThat(Batch.divide(texts, new Batch.Limits(2, 1000), 0))
                .containsExactly(new Batch(0, 2), new Batch(2, 4), new Batch(4, 5));
        assertThat(Batch.divide(List.of(), new Batch.Limits(2, 1000), 0)).isEmpty();
    }

    @Test
    void tokensFillACallToTheBrim() {
        // One ASCII character is 1 token, and 10 are around it.
        List<String> texts = List.of("a", "b", "c");
        assertThat(Batch.divide(texts, new Batch.Limits(9, 33), 0)).containsExactly(new Batch(0, 3));
        assertThat(Batch.divide(texts, new Batch.Limits(9, 32), 0)).containsExactly(new Batch(0, 2), new Batch(2, 3));
        assertThat(Batch.divide(texts, new Batch.Limits(9, 33), 1)).containsExactly(new Batch(0, 2), new Batch(2, 3));
    }

    @Test
    void aTextOverTheLimitGoesAlone() {
        List<String> texts = List.of("a", "x".repeat(3000), "b", "c");
        assertThat(Batch.divide(texts, new Batch.Limits(9, 100), 0))
                .containsExactly(new Batch(0, 1), new Batch(1, 2), new Batch(2, 4));
    }

    @Test
    void tokensAreEstimatedRatherHigh() {
        assertThat(CallEstimate.tokens("")).isEqualTo(10);
        assertThat(CallEstimate.tokens("abcd")).isEqualTo(12);
        assertThat(CallEstimate.tokens("位置偏差")).isEqualTo(14);
        assertThat(CallEstimate.tokens("ab é")).isEqualTo(12);
    }
}

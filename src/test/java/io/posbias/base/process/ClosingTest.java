package io.posbias.base.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void whatWasOpenedIsClosedInOrderWhenAStepFails() {
        assertThatThrownBy(() -> Closing.onFailure(
                        () -> {
                            throw new IllegalStateException("step");
                        },
                        () -> {
                            closed.add("model");
                            throw new IllegalStateException("close");
                        },
                        () -> closed.add("tokenizer")))
                .hasMessage("step")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(closed).containsExactly("model", "tokenizer");
    }

    @Test
    void nothingIsClosedOtherwise() {
        assertThat(Closing.onFailure(() -> 1, () -> closed.add("model"))).isEqualTo(1);
        assertThat(closed).isEmpty();
    }
}

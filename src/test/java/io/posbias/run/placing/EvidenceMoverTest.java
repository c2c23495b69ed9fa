package io.posbias.run.placing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EvidenceMoverTest {
    private static EvidenceMover mover(String text, String evidence) {
        int start = text.indexOf(evidence);
        return EvidenceMover.of(Sentences.of(text, "en"), new Span(start, start + evidence.length()))
                .orElseThrow();
    }

    @Test
    void theSentenceOfTheEvidenceMovesWholeThroughTheOthers() {
        assertThat(mover("Ants. Bees sting you. Cats. Dogs.", "sting").texts(4))
                .containsExactly(
                        "Bees sting you. Ants. Cats. Dogs.",
                        "Ants. Bees sting you. Cats. Dogs.",
                        "Ants. Cats. Bees sting you. Dogs.",
                        "Ants. Cats. Dogs. Bees sting you.");
    }

    @Test
    void evidenceOfSeveralSentencesStaysTogether() {
        assertThat(mover("Ants. Bees. Cats. Dogs.", "es. Ca").texts(2))
                .containsExactly("Bees. Cats. Ants. Dogs.", "Ants. Dogs. Bees. Cats.");
    }

    /** 9 places of 3 others: i 3/8 is 0, .375, .75, 1.125, 1.5, 1.875, 2.25, 2.625, 3. */
    @Test
    void placesAreSpacedEvenlyAndHalvesRoundUp() {
        List<Integer> before = mover("Xx. Aa. Bb. Cc.", "Xx.").texts(9).stream()
                .map(text -> text.indexOf("Xx.") / 4)
                .toList();
        assertThat(before).containsExactly(0, 0, 1, 1, 2, 2, 2, 3, 3);
    }

    /** Half of five others: two and a half. */
    @Test
    void theMiddleOfAnOddNumberIsRoundedUp() {
        String text = IntStream.range(0, 6).mapToObj(i -> "S" + i + ".").collect(Collectors.joining(" "));
        assertThat(mover(text, "S0.").texts(3).get(1)).isEqualTo("S1. S2. S3. S0. S4. S5.");
    }

    @Test
    void shortDocumentsAndThoseOfNothingElseAreNotMoved() {
        assertThat(EvidenceMover.of(Sentences.of("Ants. Bees.", "en"), new Span(0, 2)))
                .isEmpty();
        assertThat(EvidenceMover.of(Sentences.of("Ants. Bees. Cats.", "en"), new Span(0, 17)))
                .isEmpty();
        assertThat(EvidenceMover.of(Sentences.of("Ants. Bees. Cats.", "en"), new Span(5, 6)))
                .isEmpty();
        EvidenceMover mover = mover("Ants. Bees. Cats.", "Cats");
        assertThatThrownBy(() -> mover.texts(1)).hasMessageContaining("two places");
    }
}

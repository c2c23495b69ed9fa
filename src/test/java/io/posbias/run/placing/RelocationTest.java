package io.posbias.run.placing;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelocationTest {
    private static final String TEXT = "Ants.  Bees. Cats. Dogs.";

    private static EvidenceMover mover(String evidence) {
        int start = TEXT.indexOf(evidence);
        return EvidenceMover.of(Sentences.of(TEXT, "en"), new Span(start, start + evidence.length()))
                .orElseThrow();
    }

    private static List<Relocation.Text> texts(Relocation placing, String evidence, int places, boolean titled) {
        return placing.texts(mover(evidence), places, titled);
    }

    @Test
    void rotationKeepsTheRoundOfSentences() {
        assertThat(texts(Relocation.ROTATION, "Cats", 4, false))
                .extracting(Relocation.Text::text)
                .containsExactly("Cats. Dogs. Ants. Bees.", "Bees. Cats. Dogs. Ants.", TEXT, "Dogs. Ants. Bees. Cats.");
        assertThat(texts(Relocation.ROTATION, "Cats", 4, false))
                .extracting(Relocation.Text::natural)
                .containsExactly(false, false, true, false);
    }

    @Test
    void movingKeepsTheOthersAndCountsBrokenPairs() {
        assertThat(texts(Relocation.MOVING, "Cats", 4, false))
                .extracting(Relocation.Text::text)
                .containsExactly("Cats. Ants. Bees. Dogs.", "Ants. Cats. Bees. Dogs.", TEXT, "Ants. Bees. Dogs. Cats.");
        // By counting: Cats-Ants, Bees-Dogs; Ants-Cats, Cats-Bees, Bees-Dogs; none; Bees-Dogs, Dogs-Cats.
        assertThat(texts(Relocation.MOVING, "Cats", 4, false))
                .extracting(Relocation.Text::broken)
                .containsExactly(2, 3, 0, 2);
        // A title stands before: title-Cats is new as well.
        assertThat(texts(Relocation.MOVING, "Cats", 4, true))
                .extracting(Relocation.Text::broken)
                .containsExactly(3, 3, 0, 2);
        // Evidence in front: Bees-Ants alone; with a title, title-Bees too.
        assertThat(texts(Relocation.MOVING, "Ants", 4, false))
                .extracting(Relocation.Text::broken)
                .containsExactly(0, 2, 2, 1);
        assertThat(texts(Relocation.MOVING, "Ants", 4, true))
                .extracting(Relocation.Text::broken)
                .containsExactly(0, 3, 3, 2);
    }

    @Test
    void theTextKnowsWhereItsEvidenceIs() {
        for (Relocation placing : List.of(Relocation.ROTATION, Relocation.MOVING)) {
            assertThat(texts(placing, "Cats", 7, false))
                    .allSatisfy(
                            text -> assertThat(text.evidence().of(text.text())).startsWith("Cats."));
        }
    }
}

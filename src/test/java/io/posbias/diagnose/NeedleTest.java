package io.posbias.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.dataset.Sentences;
import io.posbias.dataset.Span;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NeedleTest {
    private static final Sentences DOCUMENT = Sentences.of("Ants. Bees. Cats. Dogs. Eels.", "en");

    @Test
    void theNeedleGoesBeforeInAndAfter() {
        assertThat(NeedleDiagnosis.texts(DOCUMENT, null, "Hay."))
                .containsEntry("insert beginning", "Hay. Ants. Bees. Cats. Dogs. Eels.")
                .containsEntry("insert middle", "Ants. Bees. Cats. Hay. Dogs. Eels.")
                .containsEntry("insert end", "Ants. Bees. Cats. Dogs. Eels. Hay.");
    }

    /** round(5/3) = 2, round(10/3) = 3; round(7/3) = 2, round(14/3) = 5. */
    @Test
    void thirdsAreCutAtRoundedThirds() {
        assertThat(rests(DOCUMENT))
                .containsExactly("Cats. Dogs. Eels.", "Ants. Bees. Dogs. Eels.", "Ants. Bees. Cats.");
        assertThat(rests(Sentences.of("A. B. C.", "en"))).containsExactly("B. C.", "A. C.", "A. B.");
        assertThat(rests(Sentences.of("Aa. Bb. Cc. Dd. Ee. Ff. Gg.", "en")))
                .containsExactly("Cc. Dd. Ee. Ff. Gg.", "Aa. Bb. Ff. Gg.", "Aa. Bb. Cc. Dd. Ee.");
    }

    private static List<String> rests(Sentences document) {
        Map<String, String> texts = NeedleDiagnosis.texts(document, null, "Hay.");
        return Stream.of("remove beginning", "remove middle", "remove end")
                .map(texts::get)
                .toList();
    }

    @Test
    void aThirdWithTheEvidenceIsNotAmongThoseThatKeepIt() {
        // "Cats" is the middle third.
        assertThat(NeedleDiagnosis.texts(DOCUMENT, new Span(12, 16), "Hay."))
                .containsEntry("remove beginning", "Cats. Dogs. Eels.")
                .containsEntry("remove beginning (evidence kept)", "Cats. Dogs. Eels.")
                .containsEntry("remove middle", "Ants. Bees. Dogs. Eels.")
                .doesNotContainKey("remove middle (evidence kept)")
                .containsEntry("remove end (evidence kept)", "Ants. Bees. Cats.")
                .hasSize(8)
                .satisfies(texts -> assertThat(NeedleDiagnosis.NAMES).containsAll(texts.keySet()));
    }

    @Test
    void withoutEvidenceNothingIsSaidOfIt() {
        assertThat(NeedleDiagnosis.texts(DOCUMENT, null, "Hay.").keySet())
                .containsExactlyInAnyOrderElementsOf(NeedleDiagnosis.NAMES.subList(0, 6));
    }
}

package io.posbias.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.posbias.PosbiasException;
import io.posbias.dataset.Sentences;
import io.posbias.dataset.Span;
import io.posbias.probe.ProbeItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeedleTest {
    private static final Sentences DOCUMENT = Sentences.of("Ants. Bees. Cats. Dogs. Eels.", "en");

    @TempDir
    Path temp;

    @Test
    void theNeedleGoesBeforeInAndAfter() {
        assertThat(new Needle("Hay.").insertions(DOCUMENT))
                .containsEntry("insert beginning", "Hay. Ants. Bees. Cats. Dogs. Eels.")
                .containsEntry("insert middle", "Ants. Bees. Cats. Hay. Dogs. Eels.")
                .containsEntry("insert end", "Ants. Bees. Cats. Dogs. Eels. Hay.")
                .hasSize(3);
    }

    /** round(5/3) = 2, round(10/3) = 3; round(7/3) = 2, round(14/3) = 5. */
    @Test
    void thirdsAreCutAtRoundedThirds() {
        assertThat(Needle.thirds(DOCUMENT)).containsExactly(range(0, 2), range(2, 3), range(3, 5));
        assertThat(Needle.thirds(Sentences.of("A. B. C.", "en")))
                .containsExactly(range(0, 1), range(1, 2), range(2, 3));
        assertThat(Needle.thirds(Sentences.of("Aa. Bb. Cc. Dd. Ee. Ff. Gg.", "en")))
                .containsExactly(range(0, 2), range(2, 5), range(5, 7));
        assertThatThrownBy(() -> Needle.thirds(Sentences.of("Ants. Bees.", "en")))
                .hasMessageContaining("no thirds");
    }

    @Test
    void aThirdWithTheEvidenceIsNotAmongThoseThatKeepIt() {
        // "Cats" is the middle third.
        List<ProbeItem> items = new Needle("Hay.").items("q", "?", "p", DOCUMENT, new Span(12, 16));
        assertThat(items)
                .extracting(item -> item.probe().name(), ProbeItem::text1)
                .contains(
                        tuple("remove beginning", "Cats. Dogs. Eels."),
                        tuple("remove beginning (evidence kept)", "Cats. Dogs. Eels."),
                        tuple("remove middle", "Ants. Bees. Dogs. Eels."),
                        tuple("remove end (evidence kept)", "Ants. Bees. Cats."))
                .hasSize(8);
        assertThat(items).extracting(item -> item.probe().name()).doesNotContain("remove middle (evidence kept)");
        assertThat(items).extracting(ProbeItem::text2).containsOnly("Ants. Bees. Cats. Dogs. Eels.");
        assertThat(Needle.changes())
                .containsAll(items.stream().map(item -> item.probe().name()).toList());
    }

    @Test
    void withoutEvidenceNothingIsSaidOfIt() {
        assertThat(new Needle("Hay.").items("q", "?", "p", DOCUMENT, null))
                .extracting(item -> item.probe().name())
                .isEqualTo(Needle.changes().subList(0, 6));
    }

    @Test
    void oneCanBringOnesOwn() throws IOException {
        assertThat(Needle.read(Files.writeString(temp.resolve("own"), " Straw.\n"))
                        .text())
                .isEqualTo("Straw.");
        Path empty = Files.writeString(temp.resolve("empty"), " \n");
        assertThatThrownBy(() -> Needle.read(empty))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("empty is empty");
        assertThatThrownBy(() -> Needle.read(temp.resolve("none")))
                .isInstanceOf(PosbiasException.class)
                .hasMessageEndingWith("none: no such file or folder");
        assertThat(Sentences.of(Needle.bundled().text(), "en").size()).isEqualTo(3);
    }

    private static Sentences.Range range(int from, int to) {
        return new Sentences.Range(from, to);
    }
}

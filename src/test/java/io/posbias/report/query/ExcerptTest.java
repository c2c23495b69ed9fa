package io.posbias.report.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Span;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class ExcerptTest {
    private static final String HUNDRED = "ten chars ".repeat(10);

    @Test
    void shortTextsAreWhole() {
        Span evidence = new Span(4, 9);
        assertThat(Excerpt.of(HUNDRED, evidence, 100)).isEqualTo(new Excerpt(HUNDRED, evidence, 0, 0));
    }

    @Test
    void longTextsAreCutBetweenWordsAroundTheEvidence() {
        Excerpt excerpt = Excerpt.of(HUNDRED + "EVIDENCE " + HUNDRED, new Span(100, 108), 50);
        assertThat(excerpt)
                .isEqualTo(new Excerpt("ten chars ten chars EVIDENCE ten chars ten chars", new Span(20, 28), 80, 81));
    }

    /** A right-to-left override before and in the evidence. */
    @Test
    void evidenceIsMarkedBehindEscapes() {
        Excerpt shown = new Excerpt("a\u202e b\u202ec\n d", new Span(3, 6), 1, 2).shown();
        assertThat(shown).isEqualTo(new Excerpt("a\\u202e b\\u202ec\n d", new Span(8, 16), 1, 2));
        assertThat(shown.shown()).isEqualTo(shown);
        assertThat(Objects.requireNonNull(shown.mark()).of(shown.text())).isEqualTo("b\\u202ec");
        assertThat(new Excerpt("\u202e", null, 0, 0).shown().mark()).isNull();
    }

    @Test
    void withoutEvidenceTheBeginningIsKept() {
        assertThat(Excerpt.of(HUNDRED, null, 57))
                .isEqualTo(new Excerpt("ten chars ten chars ten chars ten chars ten chars ten", null, 0, 47));
    }

    @Test
    void ofLongEvidenceTheBeginningIsKept() {
        Excerpt excerpt = Excerpt.of(HUNDRED + HUNDRED, new Span(50, 190), 60);
        assertThat(excerpt).isEqualTo(new Excerpt(HUNDRED.substring(0, 60), new Span(0, 60), 50, 90));
    }

    @Test
    void surrogatePairsStayWhole() {
        String foxes = "🦊".repeat(100);
        Excerpt excerpt = Excerpt.of(foxes, new Span(100, 102), 51);
        assertThat(CodePoints.count(excerpt.text()) * 2)
                .isEqualTo(excerpt.text().length());
        assertThat(excerpt.before() + CodePoints.count(excerpt.text()) + excerpt.after())
                .isEqualTo(100);
        assertThat(Objects.requireNonNull(excerpt.mark()).of(excerpt.text())).isEqualTo("🦊");
    }

    @Property
    void whatIsMarkedIsTheEvidenceAndWhatIsLeftOutIsCounted(
            @ForAll @StringLength(max = 400) String text,
            @ForAll @IntRange(max = 400) int from,
            @ForAll @IntRange(max = 40) int length) {
        int start = Math.min(from, text.length());
        Span evidence = new Span(start, Math.min(text.length(), start + length));
        Excerpt excerpt = Excerpt.of(text, evidence, 60);
        assertThat(Objects.requireNonNull(excerpt.mark()).of(excerpt.text())).isEqualTo(evidence.of(text));
        assertThat(excerpt.text().length()).isLessThanOrEqualTo(61);
        assertThat(excerpt.before() + CodePoints.count(excerpt.text()) + excerpt.after())
                .isEqualTo(CodePoints.count(text));
    }
}

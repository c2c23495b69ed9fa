package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.Span;
import io.posbias.study.diagnose.ReversedBenchmark.SegmentReversal;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SegmentReversalTest {
    private static SegmentReversal reverse(String text, int segments) {
        return SegmentReversal.of(text, segments, Locale.ENGLISH);
    }

    private static Span span(String text, String part) {
        int start = text.indexOf(part);
        return new Span(start, start + part.length());
    }

    @Test
    void sentencesChangeTheirOrder() {
        assertThat(reverse("One. Two. Three. Four. Five.", 5).text()).isEqualTo("Five. Four. Three. Two. One.");
    }

    @Test
    void segmentsAreAsEvenAsCanBeAndKeepTheirInnerOrder() {
        assertThat(reverse("One. Two. Three. Four. Five.", 2).text()).isEqualTo("Three. Four. Five. One. Two.");
        assertThat(reverse("A. B. C. D. E. F. G.", 3).segments())
                .containsExactly(new Span(0, 5), new Span(6, 11), new Span(12, 20));
    }

    @Test
    void whiteSpaceStaysWhereItIs() {
        assertThat(reverse("  Aa bb.\n\nCc.  Dd! ", 5).text()).isEqualTo("  Dd!\n\nCc.  Aa bb. ");
    }

    @Test
    void fewSentencesMakeFewSegments() {
        assertThat(reverse("One. Two.", 5).text()).isEqualTo("Two. One.");
        assertThat(reverse("Only one here.", 5).text()).isEqualTo("Only one here.");
        assertThat(reverse(" \n", 5).text()).isEqualTo(" \n");
        assertThat(reverse("", 5).segments()).isEmpty();
    }

    @Test
    void evidenceGoesWithItsSegment() {
        String text = "The \uD83D\uDC1F swims. A bird flies!  Moles dig. Ants walk. Bees hum loudly.";
        SegmentReversal reversal = reverse(text, 5);
        for (String part : new String[] {"\uD83D\uDC1F", "A bird flies!", "dig", "Ants walk.", "Bees", "loudly."}) {
            Span moved = Objects.requireNonNull(reversal.move(span(text, part)));
            assertThat(moved.of(reversal.text())).isEqualTo(part);
        }
        assertThat(reversal.move(span(text, "The"))).isEqualTo(span(reversal.text(), "The"));
        assertThat(reversal.text()).hasSameSizeAs(text).endsWith("swims.");
    }

    @Test
    void evidenceAcrossAnEdgeHasNoPlace() {
        String text = "One two. Three four. Five six.";
        SegmentReversal reversal = reverse(text, 3);
        assertThat(reversal.move(span(text, "two. Three"))).isNull();
        assertThat(reversal.move(span(text, "two. "))).isNull();
        assertThat(reverse(text, 2).move(span(text, "four. Five"))).isNotNull();
    }

    @Test
    void chineseSentencesNeedNoSpace() {
        assertThat(SegmentReversal.of("一二。三四。五六。", 3, Locale.CHINESE).text()).isEqualTo("五六。三四。一二。");
    }
}

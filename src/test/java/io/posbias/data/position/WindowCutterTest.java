package io.posbias.data.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.Words;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WindowCutterTest {
    private static final String TEXT =
            "A1 b c d. A2 b c d. A3 b c d. A4 b c d. A5 b key d. A6 b c d. A7 b c d. A8 b c d. A9 b c d.";

    private static WindowCutter cutter(int places, int length, double tolerance, double match, String language) {
        return new WindowCutter(
                places,
                length,
                tolerance,
                match,
                text -> Words.cut(text, language).size(),
                text -> Arrays.asList(text.toLowerCase(Locale.ROOT).split("\\W+")),
                term -> 1,
                language);
    }

    private static Span find(String text, String part) {
        int start = text.indexOf(part);
        return new Span(start, start + part.length());
    }

    private static WindowCutter.Cut cut(WindowCutter cutter, String text, String evidence, String question) {
        return cutter.text(text).cut(find(text, evidence), question);
    }

    @Test
    void theEvidenceGoesThroughAllPlacesOfNaturalText() {
        WindowCutter.Cut cut = cut(cutter(5, 20, 0, 1, "en"), TEXT, "key", "key");
        assertThat(cut.unfit()).isNull();
        // By hand: five sentences each, the one with the key first, second, third, fourth and last.
        assertThat(cut.windows())
                .extracting(window -> window.span().of(TEXT))
                .containsExactly(
                        "A5 b key d. A6 b c d. A7 b c d. A8 b c d. A9 b c d.",
                        "A4 b c d. A5 b key d. A6 b c d. A7 b c d. A8 b c d.",
                        "A3 b c d. A4 b c d. A5 b key d. A6 b c d. A7 b c d.",
                        "A2 b c d. A3 b c d. A4 b c d. A5 b key d. A6 b c d.",
                        "A1 b c d. A2 b c d. A3 b c d. A4 b c d. A5 b key d.");
        assertThat(cut.windows()).extracting(WindowCutter.Window::length).containsOnly(20);
        for (int place = 0; place < 5; place++) {
            WindowCutter.Window window = cut.windows().get(place);
            Evidence evidence = Objects.requireNonNull(window.evidence());
            assertThat(evidence.relativeBin(5)).isEqualTo(place);
            assertThat(Objects.requireNonNull(evidence.span()).of(window.span().of(TEXT)))
                    .isEqualTo("key");
        }
    }

    @Test
    void lengthsStayWithinTheTolerance() {
        String uneven = TEXT.replace("A2 b c d.", "A2 b.").replace("A7 b c d.", "A7 b c d e f g.");
        WindowCutter.Cut cut = cut(cutter(3, 12, 0.25, 1, "en"), uneven, "key", "key");
        assertThat(cut.windows()).extracting(WindowCutter.Window::length).allMatch(own -> own >= 9 && own <= 15);
        // A sentence more or fewer would leave the tolerance: nothing between 19 and 21 words.
        assertThat(cut(cutter(3, 18, 0.02, 1, "en"), TEXT, "key", "key").unfit())
                .isEqualTo(WindowCutter.Unfit.BORDERS);
    }

    @Test
    void whyThereIsNoWindow() {
        WindowCutter five = cutter(5, 20, 0, 1, "en");
        assertThat(cut(five, TEXT, "A4", "").unfit()).isEqualTo(WindowCutter.Unfit.ENDS);
        assertThat(cut(five, TEXT, "A6", "").unfit()).isEqualTo(WindowCutter.Unfit.ENDS);
        assertThat(cut(five, TEXT, TEXT.substring(0, 80), "").unfit()).isEqualTo(WindowCutter.Unfit.LONG);
        assertThatThrownBy(() -> five.text(TEXT + "   ").cut(new Span(TEXT.length(), TEXT.length() + 2), ""))
                .hasMessageContaining("no sentence holds");
    }

    @Test
    void windowsHoldTheSameOfTheQuestion() {
        // "zebra" is before the evidence alone: the first place never has it, the last always.
        String oneSided = TEXT.replace("A4 b c d.", "A4 b zebra d.");
        assertThat(cut(cutter(5, 20, 0, 0.03, "en"), oneSided, "key", "key zebra")
                        .unfit())
                .isEqualTo(WindowCutter.Unfit.TERMS);
        assertThat(cut(cutter(5, 20, 0, WindowCutter.ANY, "en"), oneSided, "key", "key zebra")
                        .windows())
                .hasSize(5);
        // Other words may be where they are.
        assertThat(cut(cutter(5, 20, 0, 0.03, "en"), oneSided, "key", "key").windows())
                .hasSize(5);
        // Twice on one side: it is at all places, and weighs more at some.
        String twice = TEXT.replace("A4 b c d.", "A4 b key d.");
        assertThat(cut(cutter(5, 20, 0, 0.03, "en"), twice, "A5 b key", "key").unfit())
                .isEqualTo(WindowCutter.Unfit.TERMS);
        assertThat(cut(cutter(5, 20, 0, 0.5, "en"), twice, "A5 b key", "key").windows())
                .hasSize(5);
    }

    @Test
    void aTermWeighsAsInBm25() {
        // Lucene's BM25 with k1 0.9, b 0.4: 2 / (2 + 0.9 (0.6 + 0.4 * 30 / 20)) = 2 / 3.08.
        assertThat(cutter(5, 20, 0, 0, "en").weight(2, 30)).isEqualTo(2 / 3.08);
        assertThat(cutter(5, 20, 0, 0, "en").weight(0, 30)).isZero();
    }

    @Test
    void chineseSentencesNeedNoSpaces() {
        String text = "一二三四。二二三四。三二三四。四二三四。五二钥四。六二三四。七二三四。八二三四。九二三四。";
        WindowCutter.Cut cut = cut(cutter(5, 20, 0, 1, "zh"), text, "钥", "钥");
        assertThat(cut.windows().getFirst().span().of(text)).isEqualTo("五二钥四。六二三四。七二三四。八二三四。九二三四。");
        assertThat(cut.windows().getLast().span().of(text)).isEqualTo("一二三四。二二三四。三二三四。四二三四。五二钥四。");
    }

    @Test
    void spansCountCodePoints() {
        String owls = TEXT.replace("A2 b", "A2 🦉🦉b").replace("A4 b", "A4 🦉b");
        WindowCutter.Cut cut = cut(cutter(5, 20, 0, 1, "en"), owls, "key", "key");
        for (WindowCutter.Window window : cut.windows()) {
            String own = window.span().of(owls);
            Evidence evidence = Objects.requireNonNull(window.evidence());
            assertThat(CodePoints.toUtf16(own, evidence.start(), evidence.end()).of(own))
                    .isEqualTo("key");
            assertThat(evidence.textLength()).isEqualTo(CodePoints.count(own));
        }
    }

    @Test
    void tilesCoverTheTextAndTheLastReachesBack() {
        List<String> tiles = cutter(5, 16, 0, 1, "en").text(TEXT).tiles().stream()
                .map(tile -> tile.span().of(TEXT))
                .toList();
        assertThat(tiles)
                .containsExactly(
                        "A1 b c d. A2 b c d. A3 b c d. A4 b c d.",
                        "A5 b key d. A6 b c d. A7 b c d. A8 b c d.",
                        "A6 b c d. A7 b c d. A8 b c d. A9 b c d.");
        assertThat(cutter(5, 99, 0, 1, "en").text(TEXT).tiles()).hasSize(1);
        assertThat(cutter(5, 99, 0, 1, "en").text("").tiles()).isEmpty();
    }
}

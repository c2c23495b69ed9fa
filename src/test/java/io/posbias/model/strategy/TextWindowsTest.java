package io.posbias.model.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.Words;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextWindowsTest {
    /** Pieces of at most two characters of a word: "abcde" is ab, cd, e. */
    private static List<Span> pieces(String text) {
        return matches("\\S{1,2}", text);
    }

    private static List<Span> words(String text) {
        return matches("\\S+", text);
    }

    private static List<Span> characters(String text) {
        return matches("(?s).", text);
    }

    private static List<Span> matches(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> new Span(match.start(), match.end()))
                .toList();
    }

    private static List<String> cut(
            String text, int size, int stride, boolean sentences, Function<String, List<Span>> tokens) {
        return new TextWindows(size, stride, sentences, false, tokens)
                .cut(text).stream().map(span -> span.of(text)).toList();
    }

    @Test
    void aTextOfAtMostSizeTokensIsOneWindowAsItIs() {
        assertThat(cut("  a b c d ", 4, 2, false, TextWindowsTest::words)).containsExactly("  a b c d ");
        assertThat(cut("  a b c d ", 4, 2, true, TextWindowsTest::words)).containsExactly("  a b c d ");
        assertThat(cut("", 4, 2, false, TextWindowsTest::words)).containsExactly("");
        assertThat(cut("a b c d e", 4, 2, false, TextWindowsTest::words)).containsExactly("a b c d ", "c d e");
    }

    @Test
    void windowsBeginAStrideApartAndTheLastOneEndsWithTheText() {
        assertThat(cut("a b c d e f g", 3, 1, false, TextWindowsTest::words))
                .containsExactly("a b c ", "b c d ", "c d e ", "d e f ", "e f g");
        assertThat(cut("a b c d e f g", 3, 2, false, TextWindowsTest::words))
                .containsExactly("a b c ", "c d e ", "e f g");
        assertThat(cut("a b c d e f g ", 3, 3, false, TextWindowsTest::words))
                .containsExactly("a b c ", "d e f ", "g ");
        assertThat(cut("a b c", 1, 1, false, TextWindowsTest::words)).containsExactly("a ", "b ", "c");
    }

    private static List<String> fullLast(String text, int size, int stride, boolean sentences) {
        return new TextWindows(size, stride, sentences, true, TextWindowsTest::words)
                .cut(text).stream().map(span -> span.of(text)).toList();
    }

    @Test
    void theLastWindowIsAsLongAsTheOthersWhereThatIsWanted() {
        assertThat(fullLast("a b c d e f g ", 3, 3, false)).containsExactly("a b c ", "d e f ", "e f g ");
        assertThat(fullLast("a b c d e f", 4, 3, false)).containsExactly("a b c d ", "c d e f");
        assertThat(fullLast("a b c d e f", 3, 3, false)).containsExactly("a b c ", "d e f");
        assertThat(fullLast("a b c", 3, 1, false)).containsExactly("a b c");
        assertThat(fullLast("A b. C d. E. F g.", 5, 5, true)).containsExactly("A b. C d. E. ", "C d. E. F g.");
        assertThat(fullLast("A b. C d e. F.", 4, 4, true)).containsExactly("A b. ", "C d e. F.");
    }

    /** Tokens: ab cd e, fg h, ij kl m. The last window may not begin with e, in which no word begins. */
    @Test
    void theLastWindowBeginsWithAWord() {
        String text = "abcde fgh ijklm";
        assertThat(new TextWindows(6, 4, false, true, TextWindowsTest::pieces)
                        .cut(text).stream().map(span -> span.of(text)))
                .containsExactly("abcde fgh ", "fgh ijklm");
    }

    @Test
    void theFirstWindowHasWhatIsBeforeTheFirstTokenAndTheLastWhatIsBehind() {
        assertThat(cut("\n a b c \n", 2, 2, false, TextWindowsTest::words)).containsExactly("\n a b ", "c \n");
    }

    /** Tokens: ab cd e, fg h, ij kl. A window's end goes back from h to fg; its beginning from h too, not from e to ab. */
    @Test
    void bordersGoBackToTheBeginningOfAWordInTheSecondHalf() {
        assertThat(cut("abcde fgh ijkl", 4, 4, false, TextWindowsTest::pieces)).containsExactly("abcde ", "fgh ijkl");
        assertThat(cut("abcde fgh ijkl", 4, 2, false, TextWindowsTest::pieces))
                .containsExactly("abcde ", "e fgh ", "h ijkl");
    }

    /** The second sentence alone shows nothing that the first window does not. */
    @Test
    void noWindowIsInsideTheOneBefore() {
        assertThat(cut("A b c. D e. F g h i j.", 5, 1, true, TextWindowsTest::words))
                .containsExactly("A b c. D e. ", "F g h i j.");
    }

    @Test
    void aWordLongerThanHalfAWindowIsCutInside() {
        assertThat(cut("abcdefghijkl", 4, 2, false, TextWindowsTest::pieces)).containsExactly("abcdefgh", "efghijkl");
    }

    @Test
    void sentencesStayWholeWhereTheyFit() {
        String text = "A b c. D e. F g h. I j.";
        assertThat(cut(text, 5, 1, true, TextWindowsTest::words))
                .containsExactly("A b c. D e. ", "D e. F g h. ", "F g h. I j.");
        assertThat(cut(text, 5, 5, true, TextWindowsTest::words)).containsExactly("A b c. D e. ", "F g h. I j.");
        assertThat(cut(text, 4, 2, true, TextWindowsTest::words))
                .containsExactly("A b c. ", "D e. ", "F g h. ", "I j.");
    }

    @Test
    void aSentenceThatDoesNotFitIsCut() {
        assertThat(cut("A b. C d e f g h. I.", 3, 3, true, TextWindowsTest::words))
                .containsExactly("A b. ", "C d e ", "f g h. ", "I.");
    }

    @Test
    void aTextWithoutSentencesIsCutByItsTokens() {
        assertThat(cut("a b c d e", 2, 2, true, TextWindowsTest::words)).containsExactly("a b ", "c d ", "e");
        assertThat(cut(" \n \n ", 2, 2, true, TextWindowsTest::characters)).containsExactly(" \n \n ");
    }

    @Test
    void noWindowIsBlank() {
        assertThat(cut("ab      cd", 2, 2, false, TextWindowsTest::characters)).containsExactly("ab      ", "cd");
        assertThat(cut("      abcd", 2, 2, false, TextWindowsTest::characters)).containsExactly("      ab", "cd");
        assertThat(cut("abcd      ", 2, 2, false, TextWindowsTest::characters)).containsExactly("ab", "cd      ");
    }

    @Test
    void chineseIsCutBetweenCharacters() {
        String text = "狐狸住在桥下。猫头鹰在夜里捕鼠。";
        assertThat(cut(text, 6, 6, false, one -> Words.cut(one, "zh"))).containsExactly("狐狸住在桥下。", "猫头鹰在夜里", "捕鼠。");
        assertThat(cut(text, 8, 8, true, one -> Words.cut(one, "zh"))).containsExactly("狐狸住在桥下。", "猫头鹰在夜里捕鼠。");
    }

    /** Tokenizers of bytes cut an emoji into several tokens, all of which are at its place. */
    @Test
    void noWindowBeginsOrEndsInsideASurrogatePair() {
        String text = "🦉🦊🦉🦊";
        Function<String, List<Span>> bytes = one -> {
            List<Span> spans = new ArrayList<>();
            for (int at = 0; at < one.length(); at += 2) {
                spans.addAll(List.of(new Span(at, at + 2), new Span(at, at + 2), new Span(at, at + 2)));
            }
            return spans;
        };
        for (int size = 1; size <= 12; size++) {
            for (int stride = 1; stride <= size; stride++) {
                List<Span> windows = new TextWindows(size, stride, false, stride % 2 == 0, bytes).cut(text);
                assertThat(windows).allSatisfy(window -> {
                    assertThat(window.start() % 2 + window.end() % 2).isZero();
                    assertThat(window.end()).isGreaterThan(window.start());
                });
                assertCovers(text, windows);
            }
        }
    }

    private static void assertCovers(String text, List<Span> windows) {
        assertThat(windows.getFirst().start()).isZero();
        assertThat(windows.getLast().end()).isEqualTo(text.length());
        for (int i = 1; i < windows.size(); i++) {
            assertThat(windows.get(i).start())
                    .isLessThanOrEqualTo(windows.get(i - 1).end());
            assertThat(windows.get(i).start())
                    .isGreaterThanOrEqualTo(windows.get(i - 1).start());
            assertThat(windows.get(i).end()).isGreaterThan(windows.get(i - 1).end());
        }
    }

    /** Random texts of words, sentences, blanks and emoji, cut in every way. */
    @Test
    void everyCharacterIsInAWindowAndNoWindowIsTooLong() {
        Random random = new Random(3);
        List<String> parts =
                List.of("a", "fox", "bridges", "Owls", ".", "! ", "  ", "\n", "🦉", "桥", "。", "1,5", "(b)");
        for (int i = 0; i < 400; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(60);
            for (int p = 0; p < length; p++) {
                text.append(parts.get(random.nextInt(parts.size()))).append(random.nextInt(3) == 0 ? "" : " ");
            }
            int size = 1 + random.nextInt(12);
            TextWindows cutter = new TextWindows(
                    size,
                    1 + random.nextInt(size),
                    i % 2 == 0,
                    i % 4 < 2,
                    i % 3 == 0 ? TextWindowsTest::words : TextWindowsTest::pieces);
            List<Span> windows = cutter.cut(text.toString());
            assertCovers(text.toString(), windows);
            for (Span window : windows) {
                assertThat(cutter.tokens().apply(text.toString()).stream()
                                .filter(token -> token.start() >= window.start() && token.start() < window.end())
                                .count())
                        .as(text + " " + cutter)
                        .isLessThanOrEqualTo(size);
            }
        }
    }

    private static TextWindows of(Map<String, Object> fields) {
        return Json.settings(
                        new Fields(new Location(Path.of("r.yaml"), 1), Map.copyOf(fields)),
                        TextWindows.WindowSettings.class)
                .over(TextWindowsTest::words);
    }

    @Test
    void theStrideIsHalfAWindowUnlessToldOtherwise() {
        TextWindows usual = of(Map.of());
        assertThat(usual).isEqualTo(new TextWindows(128, 64, false, false, usual.tokens()));
        TextWindows own = of(Map.of("window", 5, "sentences", true, "full-last", true));
        assertThat(own).isEqualTo(new TextWindows(5, 2, true, true, own.tokens()));
        assertThat(of(Map.of("window", 1)).stride()).isEqualTo(1);
        assertThat(of(Map.of("window", 7, "stride", 7)).stride()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"8, 0", "8, -1", "8, 9"})
    void aStrideLeavesNoGap(int window, int stride) {
        assertThatThrownBy(() -> of(Map.of("window", window, "stride", stride)))
                .hasMessage("r.yaml:1: field \"stride\" is " + stride + "; it must be from 1 to window, which is 8");
    }

    @Test
    void aWindowHasATokenAtLeast() {
        assertThatThrownBy(() -> of(Map.of("window", 0))).hasMessageContaining("field \"window\" is 0");
    }
}

package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerOffsetsTest {
    /** The year stands three times, after characters that units count differently; the offset is that of the second one. */
    private static final String TEXT =
            "In 1571 𝒜\r\nfé &amp; co\nbegan <b> & in 1571,\r\n\r\n𝒜𝒜 < & ended\n\n\nin 1571.";

    private static final String YEAR = "1571";

    private final AnswerOffsets offsets = new AnswerOffsets();

    private static int second(String text) {
        return text.indexOf(YEAR, text.indexOf(YEAR) + 1);
    }

    /** What a tool counts before the second year. */
    private static int counted(String unit) {
        String before = TEXT.substring(0, second(TEXT));
        UnaryOperator<String> seen = switch (unit) {
            case "CRLF" -> text -> text.replace("\r\n", "\n");
            case "LF" -> text -> text.replace("\r\n", "\n").replace("\n", "\r\n");
            case "unescaped" -> text -> text.replace("&amp;", "&");
            case "escaped" ->
                text -> text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
            default -> text -> text;
        };
        String text = seen.apply(before);
        return switch (unit) {
            case "UTF-16" -> text.length();
            case "bytes" -> text.getBytes(StandardCharsets.UTF_8).length;
            default -> CodePoints.count(text);
        };
    }

    private void add(String id, String passage, String text, int start, String answer) {
        offsets.add(id, passage, text, new Span(start, start + answer.length()), List.of(answer));
    }

    private Optional<Integer> start(String id) {
        return offsets.place(id).map(Span::start);
    }

    @ParameterizedTest
    @CsvSource({"code points", "UTF-16", "bytes", "CRLF", "LF", "unescaped", "escaped"})
    void offsetsAreReadInTheUnitOfTheFile(String unit) {
        int start = counted(unit);
        add("q", "p", TEXT, start, YEAR);
        assertThat(start("q")).contains(CodePoints.count(TEXT.substring(0, second(TEXT))));
        assertThat(offsets.isOff()).isEqualTo(!unit.equals("code points"));
        assertThat(offsets.toString().isEmpty()).isEqualTo(unit.equals("code points"));
    }

    /** Most answers stand four before where they should: so does one that would be nearer elsewhere. */
    @Test
    void theDistanceOfTheAnswersAroundDecidesBetweenPlaces() {
        String text = "aa bb cc bb";
        add("1", "p", text, 4, "aa");
        add("2", "p", text, 10, "cc");
        add("3", "p", text, 7, "bb");
        assertThat(start("3")).contains(3);
        assertThat(offsets).hasToString(" by -4 code points");
    }

    @Test
    void aDistanceThatGrowsLiesBetweenThoseAround() {
        String text = "a1 xx b1 xx c1 xx d1 xx";
        add("1", "p", text, 1, "a1");
        add("2", "p", text, 15, "c1");
        add("3", "p", text, 11, "xx");
        // The others stand 1 and 3 before their offsets; "xx" stands at 3, 9, 15 and 21.
        assertThat(start("3")).contains(9);
    }

    @Test
    void anAnswerOfSeveralPlacesThatNothingSettlesHasNone() {
        add("1", "p", "aa bb cc bb", 1, "bb");
        assertThat(start("1")).isEmpty();
        assertThat(offsets.isOff()).isTrue();
    }

    @Test
    void answersThatStandByChanceAreNotTrustedInAFileWhoseOffsetsAreOff() {
        String text = "aa bb cc bb dd";
        add("1", "p", text, 5, "aa");
        add("2", "p", text, 11, "cc");
        add("3", "p", text, 17, "dd");
        add("4", "p", text, 9, "bb");
        assertThat(start("4"))
                .as("stands at its offset, 5 from which all others are")
                .isEmpty();
        assertThat(Objects.requireNonNull(start("1"))).contains(0);
    }

    @Test
    void anAnswerThatIsNowhereIsNotAdded() {
        assertThat(offsets.add("1", "p", "aa bb", new Span(0, 2), List.of("cc")))
                .isFalse();
        assertThat(offsets.has("1")).isFalse();
    }
}

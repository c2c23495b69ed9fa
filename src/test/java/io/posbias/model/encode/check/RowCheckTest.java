package io.posbias.model.encode.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.onnx.TokenRow;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class RowCheckTest {
    private static TokenRow row(int... ids) {
        return new TokenRow(ids, new int[ids.length], 0, 0, TokenRow.WHOLE);
    }

    private static RowCheck.CheckedText text(int... ids) {
        return new RowCheck.CheckedText(row(ids), 0, ids.length);
    }

    /** The change that another last token makes of a model that answers with one number for a row. */
    private static OptionalDouble last(List<RowCheck.CheckedText> texts, ToDoubleFunction<int[]> model) {
        RowCheck check = new RowCheck(
                texts,
                (rows, left) -> rows.stream()
                        .map(row -> new float[] {(float) model.applyAsDouble(row.ids())})
                        .toList(),
                new RowCheck.Scale("numbers", "row", "difference", 0, 0, 1, (a, b, from, to) -> Math.abs(a[0] - b[0])),
                "",
                new Findings());
        return check.exchanged(RowCheck.CheckedText::last, RowCheck.Part.ALL);
    }

    @Test
    void aChangeThatChanceHidesIsLookedForWithOtherTokens() {
        List<RowCheck.CheckedText> texts = List.of(text(1, 2, 3, 9));
        // In place of the 9 a 1 is first, then 2 and 3: only the last one makes a difference.
        assertThat(last(texts, ids -> ids[3] == 3 ? 5 : 0)).hasValue(5);
        assertThat(last(texts, ids -> ids[0])).hasValue(0);
    }

    @Test
    void theTextThatChangesLeastCountsOfThoseWithFourTokens() {
        List<RowCheck.CheckedText> texts = List.of(text(1, 2, 3), text(1, 2, 3, 4), text(1, 2, 3, 4, 5));
        assertThat(last(texts, ids -> ids.length > 4 ? ids[4] : 0)).hasValue(0);
        assertThat(last(texts, ids -> ids.length > 3 ? 10 * ids[ids.length - 1] : 0))
                .hasValue(30);
        assertThat(last(List.of(text(1, 2, 3)), ids -> ids[2])).isEmpty();
    }

    @Test
    void rowsOfOneLengthAreKnown() {
        Findings findings = new Findings();
        RowCheck check = new RowCheck(
                List.of(text(1, 2), text(3, 4)),
                (rows, left) -> rows.stream().map(row -> new float[1]).toList(),
                RowCheck.Scale.ofVectors(1),
                "",
                findings);
        check.sameness(false, false);
        assertThat(findings.done().facts())
                .contains(new ModelCheck.Fact(ModelCheck.Outcome.INFO, "padded", "never, as all rows are of 2 tokens"));
    }

    private static List<Integer> inserted(TokenRow row, TokenRow without) {
        RowCheck.CheckedText text = RowCheck.CheckedText.inserted(row, without);
        return List.of(text.from(), text.to());
    }

    @Test
    void whatARowHasMoreThanWithoutATextIsTheText() {
        assertThat(inserted(row(2, 7, 3, 8, 9, 3), row(2, 7, 3, 3))).containsExactly(3, 5);
        assertThat(inserted(row(2, 7, 3, 8, 9, 3), row(2, 3, 8, 9, 3))).containsExactly(1, 2);
        assertThat(inserted(row(2, 7, 3, 8), row(2, 7, 3))).containsExactly(3, 4);
        // The space before a text is a token of its own where the text is missing.
        assertThat(inserted(row(2, 7, 8, 9, 3), row(2, 7, 5, 3))).containsExactly(2, 4);
        assertThat(inserted(row(2, 3), row(2, 3))).containsExactly(2, 2);
        // A text of tokens that are around it, too, is found in its length.
        assertThat(inserted(row(2, 3, 3, 3, 4), row(2, 3, 4))).containsExactly(2, 4);
    }
}

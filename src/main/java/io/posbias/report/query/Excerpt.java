package io.posbias.report.query;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Span;
import org.jspecify.annotations.Nullable;

/**
 * Excerpt of a text around its evidence.
 *
 * @param mark evidence in the excerpt, in UTF-16 units, as JavaScript counts; null if unknown
 * @param before code points left out before it
 * @param after code points left out after it
 */
public record Excerpt(
        String text,

        @JsonFormat(shape = JsonFormat.Shape.ARRAY) @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Span mark,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int before,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int after) {
    /** Words are not cut where a space is this near, in UTF-16 units. */
    private static final int WORD = 20;

    /**
     * Cuts an excerpt around the evidence, or from the beginning. Evidence longer than the limit loses its end.
     *
     * @param evidence in UTF-16 units of the text
     * @param limit in UTF-16 units, more than {@code 2 * WORD}
     */
    public static Excerpt of(String text, @Nullable Span evidence, int limit) {
        if (text.length() <= limit) {
            return new Excerpt(text, evidence, 0, 0);
        }
        Span marked = evidence == null ? new Span(0, 0) : evidence;
        int spare = Math.max(0, limit - (marked.end() - marked.start()));
        int from = Math.clamp(marked.start() - spare / 2, 0, Math.max(0, text.length() - limit));
        from = Math.min(from, marked.start());
        int to = Math.min(text.length(), from + limit);
        from = from == 0 ? 0 : wordStart(text, from, marked.start());
        to = to == text.length() ? to : wordEnd(text, to, Math.min(to, marked.end()));
        Span mark = evidence == null ? null : new Span(marked.start() - from, Math.min(marked.end(), to) - from);
        return new Excerpt(
                text.substring(from, to),
                mark,
                CodePoints.count(text.substring(0, from)),
                CodePoints.count(text.substring(to)));
    }

    /** Returns the excerpt with {@linkplain Printable#lines escapes}. */
    public Excerpt shown() {
        Span own = mark;
        Span shown = own == null ? null : new Span(shown(own.start()), shown(own.end()));
        return new Excerpt(Printable.lines(text), shown, before, after);
    }

    private int shown(int place) {
        return Printable.lines(text.substring(0, place)).length();
    }

    private static int wordStart(String text, int from, int atMost) {
        for (int i = from; i < Math.min(atMost, from + WORD); i++) {
            if (Character.isWhitespace(text.charAt(i))) {
                return i + 1;
            }
        }
        return Character.isLowSurrogate(text.charAt(from)) ? from - 1 : from;
    }

    private static int wordEnd(String text, int to, int atLeast) {
        for (int i = to; i > Math.max(atLeast, to - WORD); i--) {
            if (Character.isWhitespace(text.charAt(i))) {
                return i;
            }
        }
        return Character.isLowSurrogate(text.charAt(to)) ? to - 1 : to;
    }
}

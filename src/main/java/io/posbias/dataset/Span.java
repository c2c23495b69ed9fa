package io.posbias.dataset;

/**
 * A part of a Java string.
 *
 * @param start first UTF-16 unit
 * @param end the UTF-16 unit after the last
 */
public record Span(int start, int end) {
    /** A span that does not run backwards. */
    public Span {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("not a span: [" + start + ", " + end + ")");
        }
    }

    /** The part of the text that this span covers. */
    public String of(String text) {
        return text.substring(start, end);
    }
}

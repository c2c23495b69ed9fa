package io.posbias.data.dataset;

/** A part of a string in UTF-16 units, end exclusive. */
public record Span(int start, int end) {
    public Span {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("not a span: [" + start + ", " + end + ")");
        }
    }

    public String of(String text) {
        return text.substring(start, end);
    }
}

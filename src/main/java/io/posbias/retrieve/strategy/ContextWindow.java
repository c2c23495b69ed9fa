package io.posbias.retrieve.strategy;

import io.posbias.dataset.Span;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A window together with the text around it, which late chunking reads too. As a text of its own it is that text behind a
 * mark with the window's place: so it has a key in caches, and goes where texts go.
 *
 * @param content the whole text
 * @param window in UTF-16 units of it
 */
record ContextWindow(String content, Span window) {
    /** No text of a passage begins with this character. */
    private static final char MARK = '\u0001';

    private static final Pattern MARKED = Pattern.compile(MARK + "([0-9]+)-([0-9]+)" + MARK);

    /** As one text. */
    String text() {
        return MARK + String.valueOf(window.start()) + "-" + window.end() + MARK + content;
    }

    /** What was made by {@link #text}; null for another text. */
    static @Nullable ContextWindow parse(String text) {
        Matcher mark = MARKED.matcher(text);
        return mark.lookingAt()
                ? new ContextWindow(
                        text.substring(mark.end()),
                        new Span(Integer.parseInt(mark.group(1)), Integer.parseInt(mark.group(2))))
                : null;
    }
}

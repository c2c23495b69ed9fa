package io.posbias.data.dataset;

import java.util.regex.Pattern;

/**
 * A retrievable text.
 *
 * @param id unique in the corpus
 * @param title may be empty
 * @param text may be empty; evidence spans point into it
 */
public record Passage(String id, String title, String text) {
    private static final Pattern WINDOW = Pattern.compile(":[0-9]+-[0-9]+$");

    /**
     * Returns the identifier of a window of a document.
     *
     * @param from first code point
     * @param to exclusive
     */
    public static String windowId(String document, int from, int to) {
        return document + ":" + from + "-" + to;
    }

    /** Returns the document's identifier for a window, otherwise the passage's. */
    public String document() {
        return WINDOW.matcher(id).replaceFirst("");
    }

    /** Returns the indexed text: title and text joined by a space, as in BEIR. */
    public String content() {
        return title.isEmpty() ? text : title + " " + text;
    }

    /** Returns the UTF-16 length of title and space in {@link #content()}. */
    public int lead() {
        return title.isEmpty() ? 0 : title.length() + 1;
    }
}

package io.posbias.dataset;

import java.util.regex.Pattern;

/**
 * A text that can be retrieved.
 *
 * @param id its identifier, unique in the corpus
 * @param title its title; empty when it has none
 * @param text its text, into which evidence spans point; may be empty
 */
public record Passage(String id, String title, String text) {
    /** What windows put behind the identifier of their document. */
    private static final Pattern WINDOW = Pattern.compile(":[0-9]+-[0-9]+$");

    /**
     * The identifier of a window: a part of a document.
     *
     * @param document the document's identifier
     * @param from its first code point
     * @param to the code point behind its last
     */
    public static String windowId(String document, int from, int to) {
        return document + ":" + from + "-" + to;
    }

    /** The identifier of the document that it is a window of; its own where it is none. */
    public String document() {
        return WINDOW.matcher(id).replaceFirst("");
    }

    /** What a retriever indexes: title and text with one space between, as BEIR does, or the text alone. */
    public String content() {
        return title.isEmpty() ? text : title + " " + text;
    }

    /** UTF-16 units of {@link #content()} before the text: the title and a space. */
    public int lead() {
        return title.isEmpty() ? 0 : title.length() + 1;
    }
}

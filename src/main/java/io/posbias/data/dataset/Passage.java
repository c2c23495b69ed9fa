package io.posbias.data.dataset;

import java.util.regex.Pattern;

/**
 * A retrievable text.
 *
 * @param id unique in the corpus
 * @param title may be empty
 * @param text may be empty; evidence spans point into it
 * @param article name of the document that this is a part of; may be empty. It is not indexed, but counts as a title for clusters
 */
public record Passage(String id, String title, String text, String article) {
    private static final Pattern WINDOW = Pattern.compile(":[0-9]+-[0-9]+$");

    /** Makes a passage of the article that its title names. */
    public Passage(String id, String title, String text) {
        this(id, title, text, title);
    }

    /**
     * Returns the identifier of a window of a document.
     *
     * @param from first code point
     * @param to exclusive
     */
    public static String windowId(String document, int from, int to) {
        return document + ":" + from + "-" + to;
    }

    Passage withId(String other) {
        return new Passage(other, title, text, article);
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

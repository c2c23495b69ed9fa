package io.posbias.dataset;

/**
 * A text that can be retrieved.
 *
 * @param id its identifier, unique in the corpus
 * @param title its title; empty when it has none
 * @param text its text, into which evidence spans point; may be empty
 */
public record Passage(String id, String title, String text) {
    /** What a retriever indexes: title and text with one space between, as BEIR does, or the text alone. */
    public String content() {
        return title.isEmpty() ? text : title + " " + text;
    }
}

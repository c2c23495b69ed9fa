package io.posbias.model.encode;

/** Truncation of texts, measured by the tokenizer alone. Safe for several threads. */
public interface TextReader extends AutoCloseable {
    /**
     * Measures a text.
     *
     * @param text as in the dataset, without prompt
     * @return UTF-16 units read, or {@link TextEncoder#WHOLE}, as {@link TextEncoder.Encoded#seen}
     */
    int seen(String text, Role role);

    @Override
    void close();
}

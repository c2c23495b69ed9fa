package io.posbias.encode;

/** Tells how much of texts a model reads, by its tokenizer alone: the model is not loaded. Safe for several threads. */
public interface TextReader extends AutoCloseable {
    /**
     * How much of a text fits within the model's limit.
     *
     * @param text as the data set has it, without prompt
     * @return UTF-16 units of the text, or {@link TextEncoder#WHOLE}: what {@link TextEncoder.Encoded#seen} will be
     */
    int seen(String text, Role role);

    @Override
    void close();
}

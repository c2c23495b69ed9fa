package io.posbias.model.encode.onnx;

import org.jspecify.annotations.Nullable;

/** Hugging Face's library with one tokenizer, in this process or in a child process. Safe for several threads. */
interface TokenizerLibrary extends AutoCloseable {
    /**
     * Cuts a text, or a pair of texts, into tokens.
     *
     * @param special true to add special tokens
     * @throws RuntimeException with the library's message
     */
    Encoded encode(String text, @Nullable String second, boolean special);

    @Override
    void close();

    /**
     * Tokens as the library reports them.
     *
     * @param special 1 for a special token
     * @param starts code point of the text; -1 for a token that is not in it
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
    record Encoded(int[] ids, int[] types, int[] special, int[] starts, int[] ends) {}
}

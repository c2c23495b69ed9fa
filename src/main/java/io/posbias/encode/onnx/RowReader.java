package io.posbias.encode.onnx;

import io.posbias.encode.Role;
import io.posbias.encode.TextReader;

/**
 * What a graph's rows hold of texts.
 *
 * @param queries makes the rows of queries
 * @param passages makes those of passages, with the same tokenizer, which is closed with this
 */
public record RowReader(TextRows queries, TextRows passages) implements TextReader {
    @Override
    public int seen(String text, Role role) {
        return (role == Role.QUERY ? queries : passages).row(text).seen();
    }

    @Override
    public void close() {
        passages.tokenizer().close();
    }
}

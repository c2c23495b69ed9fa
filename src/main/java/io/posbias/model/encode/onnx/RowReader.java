package io.posbias.model.encode.onnx;

import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextReader;

/**
 * Truncation of texts, measured by the rows of a graph.
 *
 * @param passages its tokenizer is that of the queries, and is closed with this
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

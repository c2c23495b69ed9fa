package io.posbias.model.encode.onnx;

import io.posbias.base.text.Plural;
import java.util.List;
import java.util.Map;

/**
 * Rows of one call of a graph, padded to the longest.
 *
 * @param list at least one row
 * @param poolMaskInput input that marks the pooled tokens; empty for none
 * @param numbers inputs with one number for all rows, for example the selected adapter
 */
public record TokenBatch(List<TokenRow> list, Padding padding, String poolMaskInput, Map<String, Integer> numbers) {
    public TokenBatch(List<TokenRow> list, Padding padding) {
        this(list, padding, "", Map.of());
    }

    /**
     * Filling of shorter rows.
     *
     * @param left true if padding precedes the text
     */
    public record Padding(int id, boolean left) {}

    public int rows() {
        return list.size();
    }

    /** Returns the tokens of the longest row. */
    public int columns() {
        return list.stream().mapToInt(TokenRow::size).max().orElse(0);
    }

    /** Returns the column of a row's first token. */
    public int offset(int row) {
        return padding.left ? columns() - list.get(row).size() : 0;
    }

    long[] ids() {
        return fill((row, i) -> row.ids()[i], padding.id);
    }

    long[] mask() {
        return fill((row, i) -> i < row.size() - row.hidden() ? 1 : 0, 0);
    }

    long[] types() {
        return fill((row, i) -> row.types()[i], 0);
    }

    /** Positions count from a row's first token; padding gets 1, as in Hugging Face's decoders. */
    long[] positions() {
        return fill((row, i) -> i, 1);
    }

    /** Longformer: the first token attends to all. */
    long[] globalMask() {
        return fill((row, i) -> i == 0 ? 1 : 0, 0);
    }

    /** Tokens after template and prompt. */
    long[] poolMask() {
        return fill((row, i) -> i >= row.prompt() && i < row.size() - row.hidden() ? 1 : 0, 0);
    }

    @FunctionalInterface
    private interface Value {
        int of(TokenRow row, int token);
    }

    private long[] fill(Value value, int padding) {
        int columns = columns();
        long[] all = new long[list.size() * columns];
        for (int r = 0; r < list.size(); r++) {
            TokenRow row = list.get(r);
            int offset = offset(r);
            for (int column = 0; column < columns; column++) {
                int token = column - offset;
                boolean own = token >= 0 && token < row.size();
                all[r * columns + column] = own ? value.of(row, token) : padding;
            }
        }
        return all;
    }

    String describe() {
        return "a batch of " + Plural.of(rows(), "text") + " of up to " + columns() + " tokens";
    }
}

package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.model.Pooling;
import io.posbias.model.encode.onnx.TokenRow;
import java.util.Arrays;
import java.util.List;

/**
 * Batch of token rows, padded on the right to the longest.
 *
 * @param ids token identifiers, (rows, columns)
 * @param pooled pooling mask, (rows, columns): 1 for pooled tokens, else 0
 */
record Batch(List<TokenRow> rows, NDArray ids, Transformer.Padding padding, NDArray pooled) {
    static Batch of(List<TokenRow> rows, int padId, DenseSettings settings, NDManager workspace) {
        int columns = rows.stream().mapToInt(TokenRow::size).max().orElseThrow();
        Shape shape = new Shape(rows.size(), columns);
        long[] ids = new long[rows.size() * columns];
        Arrays.fill(ids, padId);
        long[] types = new long[ids.length];
        float[] mask = new float[ids.length];
        float[] pooled = new float[ids.length];
        for (int r = 0; r < rows.size(); r++) {
            TokenRow row = rows.get(r);
            int from = r * columns;
            for (int i = 0; i < row.size(); i++) {
                ids[from + i] = row.ids()[i];
                types[from + i] = row.types()[i];
            }
            Arrays.fill(mask, from, from + row.size(), 1);
            Pooling pooling = settings.pooling().getFirst();
            int first =
                    pooling == Pooling.LAST ? row.size() - 1 : pooling == Pooling.CLS ? 0 : settings.firstPooled(row);
            Arrays.fill(pooled, from + first, from + (pooling == Pooling.CLS ? 1 : row.size()), 1);
        }
        boolean ragged = rows.stream().anyMatch(row -> row.size() < columns);
        return new Batch(
                rows,
                workspace.create(ids, shape),
                new Transformer.Padding(
                        workspace.create(types, shape),
                        workspace.create(mask, shape),
                        ragged),
                workspace.create(pooled, shape));
    }

    /**
     * Pools the hidden states of each row.
     *
     * @param hidden (rows, columns, width)
     * @return (rows, width)
     */
    NDArray pooled(NDArray hidden, Pooling pooling) {
        NDArray counts = pooled.expandDims(2);
        if (pooling == Pooling.MAX) {
            return hidden.add(counts.sub(1).mul(Float.MAX_VALUE)).max(new int[] {1});
        }
        // Pooling by the first or last token is a mean over one token.
        return hidden.mul(counts).sum(new int[] {1}).div(counts.sum(new int[] {1}));
    }
}

package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.posbias.model.encode.model.AttentionCalibration;
import io.posbias.model.encode.onnx.TokenRow;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@linkplain AttentionCalibration Attention calibration} of a batch.
 *
 * @param settings of the recipe
 * @param sources (rows, 1, columns, 1), 1 for the token with calibrated attention; all 0 for a text of one basket
 * @param members (rows, 1, columns, baskets), 1 for tokens of a basket
 * @param outside (rows, 1, 1, columns), 1 for tokens outside all baskets
 */
record CalibratedRows(AttentionCalibration settings, NDArray sources, NDArray members, NDArray outside) {
    /**
     * Assigns the tokens of rows to baskets.
     *
     * @param settings null for no calibration
     * @return null if no row is calibrated
     */
    static @Nullable CalibratedRows of(
            @Nullable AttentionCalibration settings, List<TokenRow> rows, NDManager workspace) {
        if (settings == null || settings.strength() == 0) {
            return null;
        }
        int columns = rows.stream().mapToInt(TokenRow::size).max().orElseThrow();
        int most = Arrays.stream(settings.baskets(columns)).max().orElse(-1) + 1;
        if (most == 0) {
            return null;
        }
        float[] sources = new float[rows.size() * columns];
        float[] members = new float[sources.length * most];
        float[] outside = new float[sources.length];
        for (int r = 0; r < rows.size(); r++) {
            int[] baskets = settings.baskets(rows.get(r).size());
            for (int i = 0; i < columns; i++) {
                int token = r * columns + i;
                if (i < baskets.length) {
                    members[token * most + baskets[i]] = 1;
                } else {
                    outside[token] = 1;
                }
            }
            if (baskets.length > 0) {
                sources[r * columns + (settings.last() ? baskets.length - 1 : 0)] = 1;
            }
        }
        return new CalibratedRows(
                settings,
                workspace.create(sources, new Shape(rows.size(), 1, columns, 1)),
                workspace.create(members, new Shape(rows.size(), 1, columns, most)),
                workspace.create(outside, new Shape(rows.size(), 1, 1, columns)));
    }

    boolean at(int layer, int layers) {
        return layer >= settings.firstLayer(layers);
    }

    /**
     * Calibrates the attention weights of the source tokens.
     *
     * @param attention (rows, heads, columns, columns)
     * @return attention weights, unchanged for all other tokens
     */
    NDArray of(NDArray attention) {
        NDArray row = attention.mul(sources).sum(new int[] {2}, true);
        NDArray mass = row.matMul(members).matMul(members.transpose(0, 1, 3, 2)).add(outside);
        // A basket without attention remains without attention.
        NDArray share = row.div(mass.maximum(Torch.number(Float.MIN_NORMAL, row)));
        NDArray equal = share.div(share.sum(new int[] {3}, true).maximum(Torch.number(Float.MIN_NORMAL, row)));
        NDArray change = equal.sub(row).mul(Torch.number(settings.strength(), row));
        return attention.add(change.mul(sources));
    }
}

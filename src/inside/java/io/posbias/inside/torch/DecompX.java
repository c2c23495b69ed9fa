package io.posbias.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.posbias.encode.Role;
import io.posbias.encode.onnx.TokenRow;
import io.posbias.inside.BiasShares;
import io.posbias.inside.Reading;
import io.posbias.inside.TokenDecomposition;
import io.posbias.inside.TokenParts;
import java.util.List;

/**
 * Vectors of texts as sums over the tokens: DecompX (Modarressi et al. 2023, arXiv:2306.02873), which "Collapse of Dense
 * Retrievers" looks into retrievers with. The inner products of a query's parts with a document's are the score, token by
 * token. Safe for several threads.
 *
 * @param model a BERT or RoBERTa whose pooling and head are linear
 * @param biases how biases are shared
 * @param threads on which one text is taken apart
 */
public record DecompX(WhiteBox model, BiasShares biases, int threads) implements TokenDecomposition {
    @Override
    public Reading read(String text, Role role) {
        return model.read(text, role);
    }

    @Override
    public TokenParts of(String text, Role role) {
        return of(model.rows(role).row(text), role);
    }

    TokenParts of(TokenRow row, Role role) {
        try (NDManager workspace = model.workspace()) {
            Batch batch = model.batch(List.of(row), workspace);
            NDArray parts =
                    headed(Propagation.of((Bert) model.transformer(role), batch, biases, threads, Propagation.BLOCK));
            NDArray scaled = model.isCosine() ? parts.div(WhiteBox.lengths(parts.sum(new int[] {0}, true))) : parts;
            return new TokenParts((int) scaled.getShape().get(1), scaled.toFloatArray());
        }
    }

    /** Parts behind the head, (tokens, dimension). */
    private NDArray headed(NDArray parts) {
        WhiteBox.Head head = model.head();
        if (head == null) {
            return parts;
        }
        NDArray linear =
                parts.getNDArrayInternal().linear(parts, head.weight(), null).singletonOrThrow();
        NDArray bias = head.bias();
        if (bias == null) {
            return linear;
        }
        NDArray products = linear.mul(bias).sum(new int[] {1});
        return linear.add(Shares.of(biases, products.expandDims(0)).transpose().mul(bias));
    }

    @Override
    public void close() {
        model.close();
    }
}

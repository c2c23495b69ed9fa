package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.inside.BiasShares;
import io.posbias.model.inside.Reading;
import io.posbias.model.inside.TokenDecomposition;
import io.posbias.model.inside.TokenParts;
import java.util.List;

/**
 * Decomposition of text vectors by token with DecompX (Modarressi et al. 2023, arXiv:2306.02873), as in "Collapse of
 * Dense Retrievers". The inner products of the parts of a query and a document sum to the score. Safe for several
 * threads.
 *
 * @param model BERT or RoBERTa with linear pooling and head
 * @param threads number of threads per text
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

    /** Applies the head to the parts: (tokens, dimension). */
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

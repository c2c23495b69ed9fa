package io.posbias.inside;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.encode.Role;
import io.posbias.encode.model.DenseSettings;
import io.posbias.encode.model.Pooling;
import io.posbias.encode.onnx.LinearHead;
import io.posbias.encode.onnx.TokenRow;
import io.posbias.retrieve.Recipe;
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
public record DecompX(WhiteBox model, BiasShares biases, int threads) {
    /**
     * A vector as a sum.
     *
     * @param row the tokens, special ones and prompt included
     * @param width numbers of a vector
     * @param values the parts of the tokens, one behind the other, which sum to the vector
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    public record Parts(TokenRow row, int width, float[] values) {
        /**
         * The score of two texts, taken apart: the inner products of the parts of their tokens.
         *
         * @return (own tokens, the other's tokens), which sum to the inner product of the two vectors
         */
        public float[] products(Parts other) {
            int columns = other.row.size();
            float[] products = new float[row.size() * columns];
            for (int i = 0; i < products.length; i++) {
                products[i] = (float) product(i / columns, other, i % columns);
            }
            return products;
        }

        private double product(int token, Parts other, int others) {
            double sum = 0;
            for (int i = 0; i < width; i++) {
                sum += (double) values[token * width + i] * other.values[others * width + i];
            }
            return sum;
        }
    }

    /**
     * Refuses a model whose vectors are no such sums, before it is loaded.
     *
     * @throws UsageException saying why
     */
    public static void check(Recipe recipe) {
        WhiteBox.check(recipe);
        Family family = Architecture.of(recipe.settings()).family();
        DenseSettings settings = DenseSettings.of(recipe.name(), recipe.settings());
        LinearHead.Settings head = settings.graph().head();
        String why = family == Family.QWEN3
                ? "is of transformer.family " + Suggestions.word(family)
                : settings.pooling() == Pooling.MAX
                        ? "pools by maximum"
                        : head != null && head.tanh() ? "has a head with a hyperbolic tangent" : "";
        if (!why.isEmpty()) {
            throw new UsageException(
                    recipe.name() + " " + why + ": DecompX takes BERT and RoBERTa with pooling cls, mean"
                            + " or last and no head that is not linear");
        }
    }

    /** The vector of a text. */
    public Parts of(String text, Role role) {
        return of(model.rows(role).row(text), role);
    }

    Parts of(TokenRow row, Role role) {
        try (NDManager workspace = model.workspace()) {
            Batch batch = model.batch(List.of(row), workspace);
            NDArray parts =
                    headed(Propagation.of((Bert) model.transformer(role), batch, biases, threads, Propagation.BLOCK));
            NDArray scaled = model.isCosine() ? parts.div(WhiteBox.lengths(parts.sum(new int[] {0}, true))) : parts;
            return new Parts(row, (int) scaled.getShape().get(1), scaled.toFloatArray());
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
        return linear.add(biases.shares(products.expandDims(0)).transpose().mul(bias));
    }
}

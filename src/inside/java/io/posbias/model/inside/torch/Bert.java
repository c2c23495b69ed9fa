package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.inside.Architecture;
import io.posbias.model.inside.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Forward pass of BERT and RoBERTa: learned positions, post-norm layers, GELU. */
final class Bert implements Transformer {
    /** Name of the token embeddings. */
    static final String TABLE = "embeddings.word_embeddings.weight";

    private final Architecture architecture;
    private final NDArray words;
    private final NDArray positions;
    private final NDArray types;
    private final Norm norm;
    private final List<Layer> layers = new ArrayList<>();
    private final int firstPosition;

    /** Linear map {@code x W' + b}; W is (out, in). */
    record Linear(NDArray weight, NDArray bias) {
        NDArray of(NDArray x) {
            return x.getNDArrayInternal().linear(x, weight, bias).singletonOrThrow();
        }
    }

    /** Layer normalisation. Ba et al. 2016, arXiv:1607.06450. */
    record Norm(NDArray weight, NDArray bias, double epsilon) {
        NDArray of(NDArray x) {
            Shape width = new Shape(weight.getShape().get(0));
            return x.getNDArrayInternal()
                    .layerNorm(x, width, weight, bias, (float) epsilon)
                    .singletonOrThrow();
        }
    }

    /** Layer: attention and feed-forward network, each with a residual connection and a norm. */
    record Layer(
            Linear query,
            Linear key,
            Linear value,
            Linear output,
            Norm attentionNorm,
            Linear inner,
            Linear outer,
            Norm norm) {
        /**
         * Intermediate results of a layer.
         *
         * @param attention attention weights, (rows, heads, columns, columns)
         * @param mixed attention output plus input before the norm, (rows, columns, width)
         * @param inner inner states before GELU, (rows, columns, inner width)
         * @param summed feed-forward output plus input before the norm, (rows, columns, width)
         * @param out hidden states, (rows, columns, width)
         */
        record Pass(NDArray attention, NDArray mixed, NDArray inner, NDArray summed, NDArray out) {}

        /**
         * Applies the layer.
         *
         * @param x hidden states, (rows, columns, width)
         * @param bias of attention scores; null for none
         */
        Pass pass(NDArray x, int heads, @Nullable NDArray bias) {
            NDArray attention = weights(split(query.of(x), heads), split(key.of(x), heads), bias);
            NDArray values = join(attention.matMul(split(value.of(x), heads)));
            NDArray mixed = x.add(output.of(values));
            NDArray middle = attentionNorm.of(mixed);
            NDArray before = inner.of(middle);
            NDArray summed = middle.add(outer.of(before.getNDArrayInternal().gelu()));
            return new Pass(attention, mixed, before, summed, norm.of(summed));
        }

        /** Reshapes (rows, columns, heads x size) to (rows, heads, columns, size). */
        private static NDArray split(NDArray projected, int heads) {
            Shape shape = projected.getShape();
            return projected
                    .reshape(shape.get(0), shape.get(1), heads, shape.get(2) / heads)
                    .transpose(0, 2, 1, 3);
        }

        /** (rows, heads, columns, size) as (rows, columns, heads x size). */
        private static NDArray join(NDArray heads) {
            Shape shape = heads.getShape();
            return heads.transpose(0, 2, 1, 3).reshape(shape.get(0), shape.get(2), shape.get(1) * shape.get(3));
        }

        /**
         * Attention by scaled dot products. Vaswani et al. 2017, arXiv:1706.03762.
         *
         * @param query (rows, heads, columns, size)
         * @param key (rows, heads, columns, size)
         * @return (rows, heads, columns, columns); the last dimension sums to 1
         */
        private static NDArray weights(
                NDArray query, NDArray key, @Nullable NDArray bias) {
            double scale = 1 / Math.sqrt((double) query.getShape().get(3));
            NDArray scores = query.mul(Torch.number(scale, query)).matMul(key.transpose(0, 1, 3, 2));
            return (bias == null ? scores : scores.add(bias)).softmax(-1);
        }
    }

    /**
     * Creates the forward pass.
     *
     * @param firstPosition position of the first token: 2 for RoBERTa, else 0
     */
    private Bert(Architecture architecture, Map<String, NDArray> all, int firstPosition) {
        this.architecture = architecture;
        this.firstPosition = firstPosition;
        Weights weights = new Weights(all);
        this.words = weights.matrix(TABLE);
        long width = words.getShape().get(1);
        this.positions = weights.matrix("embeddings.position_embeddings.weight", -1, width);
        this.types = weights.matrix("embeddings.token_type_embeddings.weight", -1, width);
        this.norm = norm(weights, "embeddings.LayerNorm", width);
        if (width % architecture.heads() != 0) {
            throw new PosbiasException("transformer.heads is " + architecture.heads() + ", which does not divide the "
                    + width + " numbers of a token's vector");
        }
        for (int i = 0; weights.has("encoder.layer." + i + ".output.dense.weight"); i++) {
            layers.add(layer(weights, "encoder.layer." + i + ".", width));
        }
        weights.refuseNone(layers);
    }

    private Layer layer(Weights weights, String at, long width) {
        Linear inner = linear(weights, at + "intermediate.dense", -1, width);
        return new Layer(
                linear(weights, at + "attention.self.query", width, width),
                linear(weights, at + "attention.self.key", width, width),
                linear(weights, at + "attention.self.value", width, width),
                linear(weights, at + "attention.output.dense", width, width),
                norm(weights, at + "attention.output.LayerNorm", width),
                inner,
                linear(
                        weights,
                        at + "output.dense",
                        width,
                        inner.weight.getShape().get(0)),
                norm(weights, at + "output.LayerNorm", width));
    }

    private static Linear linear(Weights weights, String name, long out, long in) {
        NDArray weight = weights.matrix(name + ".weight", out, in);
        return new Linear(
                weight, weights.vector(name + ".bias", weight.getShape().get(0)));
    }

    private Norm norm(Weights weights, String name, long width) {
        return new Norm(
                weights.vector(name + ".weight", width), weights.vector(name + ".bias", width), architecture.epsilon());
    }

    /**
     * Creates the forward pass of a recipe's family.
     *
     * @param weights by name, without a file's prefix
     * @throws PosbiasException if a weight is missing or has an unexpected shape
     */
    static Bert over(Architecture architecture, Map<String, NDArray> weights) {
        return new Bert(architecture, weights, architecture.family() == Family.ROBERTA ? 2 : 0);
    }

    int heads() {
        return architecture.heads();
    }

    List<Layer> layers() {
        return layers;
    }

    Norm norm() {
        return norm;
    }

    @Override
    public NDArray embed(NDArray ids) {
        return Torch.rows(words, ids);
    }

    /** Adds position and type embeddings, before the norm. */
    NDArray placed(NDArray embedded, Padding padding) {
        long columns = embedded.getShape().get(1);
        if (firstPosition + columns > positions.getShape().get(0)) {
            throw new PosbiasException("a text of " + columns + " tokens is longer than the "
                    + (positions.getShape().get(0) - firstPosition)
                    + " positions of the model; max-tokens in its recipe is too high");
        }
        NDArray place = padding.manager()
                .arange(firstPosition, (int) (firstPosition + columns))
                .toType(padding.types().getDataType(), false);
        NDArray ofPlaces = Torch.rows(positions, place);
        NDArray ofTypes = Torch.rows(types, padding.types());
        return embedded.add(ofTypes).add(ofPlaces.expandDims(0));
    }

    @Override
    public NDArray hidden(NDArray embedded, Padding padding) {
        return states(embedded, padding).getLast();
    }

    /**
     * Returns the hidden states of all layers, as {@code output_hidden_states} of Hugging Face's transformers: the embeddings
     * after their norm, then the output of each layer.
     *
     * @return (rows, columns, width) each
     */
    List<NDArray> states(NDArray embedded, Padding padding) {
        List<NDArray> states = new ArrayList<>(List.of(norm.of(placed(embedded, padding))));
        NDArray bias = padding.ragged() ? padding.bias() : null;
        for (int i = 0; i < layers.size(); i++) {
            states.add(layers.get(i).pass(states.getLast(), heads(), bias).out());
        }
        return states;
    }
}

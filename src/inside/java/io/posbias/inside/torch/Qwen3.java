package io.posbias.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import io.posbias.inside.Architecture;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Qwen3: norms before each part, rotary positions (Su et al. 2021, arXiv:2104.09864), queries in groups that share keys and
 * values, SwiGLU. A token attends to those before it, so that padding on the right changes nothing.
 */
final class Qwen3 implements Transformer {
    private final Architecture architecture;
    private final NDArray words;
    private final NDArray norm;
    private final List<Layer> layers = new ArrayList<>();
    private final int headSize;

    private record Layer(
            NDArray inputNorm,
            NDArray query,
            NDArray key,
            NDArray value,
            NDArray output,
            NDArray queryNorm,
            NDArray keyNorm,
            NDArray innerNorm,
            NDArray gate,
            NDArray up,
            NDArray down) {}

    Qwen3(Architecture architecture, Map<String, NDArray> all) {
        this.architecture = architecture;
        Weights weights = new Weights(all);
        this.words = weights.matrix("embed_tokens.weight");
        long width = words.getShape().get(1);
        this.norm = weights.vector("norm.weight", width);
        // A head's size is its own: 128 whatever the width. Its norm says it.
        this.headSize = (int) weights.vector("layers.0.self_attn.q_norm.weight", -1)
                .getShape()
                .get(0);
        for (int i = 0; weights.has("layers." + i + ".mlp.down_proj.weight"); i++) {
            layers.add(layer(weights, "layers." + i + ".", width));
        }
        weights.refuseNone(layers);
    }

    private Layer layer(Weights weights, String at, long width) {
        long queries = (long) architecture.heads() * headSize;
        long keys = (long) architecture.keyHeads() * headSize;
        NDArray gate = weights.matrix(at + "mlp.gate_proj.weight", -1, width);
        long inner = gate.getShape().get(0);
        return new Layer(
                weights.vector(at + "input_layernorm.weight", width),
                weights.matrix(at + "self_attn.q_proj.weight", queries, width),
                weights.matrix(at + "self_attn.k_proj.weight", keys, width),
                weights.matrix(at + "self_attn.v_proj.weight", keys, width),
                weights.matrix(at + "self_attn.o_proj.weight", width, queries),
                weights.vector(at + "self_attn.q_norm.weight", headSize),
                weights.vector(at + "self_attn.k_norm.weight", headSize),
                weights.vector(at + "post_attention_layernorm.weight", width),
                gate,
                weights.matrix(at + "mlp.up_proj.weight", inner, width),
                weights.matrix(at + "mlp.down_proj.weight", width, inner));
    }

    @Override
    public NDArray embed(NDArray ids) {
        return ids.getNDArrayInternal()
                .embedding(ids, words, SparseFormat.DENSE)
                .singletonOrThrow();
    }

    @Override
    public NDArray hidden(NDArray embedded, Padding padding) {
        NDArray x = embedded;
        NDArray causal = causal(padding.manager(), (int) x.getShape().get(1));
        NDArray angles = angles(padding.manager(), (int) x.getShape().get(1));
        for (int i = 0; i < layers.size(); i++) {
            Layer layer = layers.get(i);
            CalibratedRows calibration = padding.calibration(i, layers.size());
            x = x.add(attended(layer, normed(x, layer.inputNorm), causal, angles, calibration));
            NDArray inner = normed(x, layer.innerNorm);
            NDArray gate = linear(inner, layer.gate);
            NDArray silu = gate.mul(gate.getNDArrayInternal().sigmoid());
            x = x.add(linear(silu.mul(linear(inner, layer.up)), layer.down));
        }
        return normed(x, norm);
    }

    private NDArray attended(
            Layer layer, NDArray x, NDArray causal, NDArray angles, @Nullable CalibratedRows calibration) {
        NDArray query =
                rotated(normed(Attention.split(linear(x, layer.query), architecture.heads()), layer.queryNorm), angles);
        NDArray key =
                rotated(normed(Attention.split(linear(x, layer.key), architecture.keyHeads()), layer.keyNorm), angles);
        NDArray value = Attention.split(linear(x, layer.value), architecture.keyHeads());
        int group = architecture.heads() / architecture.keyHeads();
        NDArray attention = Attention.weights(query, shared(key, group), causal, calibration);
        return linear(Attention.join(attention.matMul(shared(value, group))), layer.output);
    }

    /** Each head of keys or values for a group of the queries' heads that follow one another. */
    private static NDArray shared(NDArray heads, int group) {
        return group == 1 ? heads : heads.repeat(1, group);
    }

    private static NDArray linear(NDArray x, NDArray weight) {
        return x.matMul(weight.transpose());
    }

    /** Divided by the root of the mean square over the last dimension. Zhang and Sennrich 2019, arXiv:1910.07467. */
    private NDArray normed(NDArray x, NDArray weight) {
        NDArray square = x.mul(x).mean(new int[] {-1}, true).add(architecture.epsilon());
        return x.div(square.sqrt()).mul(weight);
    }

    /** What is added to scores of attention, (columns, columns): a token sees none behind it. */
    private static NDArray causal(NDManager manager, int columns) {
        float[] bias = new float[columns * columns];
        for (int row = 0; row < columns; row++) {
            Arrays.fill(bias, row * columns + row + 1, (row + 1) * columns, -Float.MAX_VALUE);
        }
        return manager.create(bias, new Shape(columns, columns));
    }

    /** The angle of each position and pair of numbers, (columns, head size); both halves are the same. */
    private NDArray angles(NDManager manager, int columns) {
        int half = headSize / 2;
        float[] angles = new float[columns * headSize];
        for (int place = 0; place < columns; place++) {
            for (int i = 0; i < headSize; i++) {
                angles[place * headSize + i] =
                        place * (float) Math.pow(architecture.ropeBase(), -2.0 * (i % half) / headSize);
            }
        }
        return manager.create(angles, new Shape(columns, headSize));
    }

    private NDArray rotated(NDArray x, NDArray angles) {
        int half = headSize / 2;
        NDArray first = x.get(new NDIndex("..., :" + half));
        NDArray second = x.get(new NDIndex("..., " + half + ":"));
        return x.mul(angles.cos())
                .add(NDArrays.concat(new NDList(second.neg(), first), -1).mul(angles.sin()));
    }
}

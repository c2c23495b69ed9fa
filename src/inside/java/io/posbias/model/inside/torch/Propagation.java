package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import io.posbias.base.process.Parallel;
import io.posbias.data.dataset.Span;
import io.posbias.model.inside.BiasShares;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * DecompX propagation of source tokens through the layers of a BERT (Modarressi et al. 2023, arXiv:2306.02873). Each
 * hidden state is a sum of parts, one per source token. Layers are linearised at the hidden state: attention weights
 * and standard deviations of norms are constants, and GELU is replaced by the slope Phi(x) through the origin. A bias
 * is {@linkplain BiasShares shared} among the parts.
 *
 * <p>Sources interact only through shares of biases. They are therefore processed in blocks, on several threads, with
 * one copy of tokens x tokens x width floats in memory. Steps work in place to avoid fragmentation. The size of a
 * block, and so the result, depends only on the text.
 */
final class Propagation {
    /** Approximate floats of a block in the widest step: 16 MB. */
    static final long BLOCK = 1L << 22;

    private final NDManager manager;
    private final BiasShares biases;
    private final int threads;
    private final int tokens;
    private final int size;
    private final NDArray[] blocks;
    private int rows;
    /** Share of each source in the previous bias, (rows, sources). */
    private @Nullable NDArray shares;
    /** Previous bias, (1, width), before the next step adds it to the blocks. */
    private @Nullable NDArray pending;

    /**
     * Starts with one part per hidden state, from its own token.
     *
     * @param x hidden states, (1, tokens, width)
     * @param size maximum number of sources in a block
     */
    private Propagation(NDArray x, int size, BiasShares biases, int threads) {
        this.manager = x.getManager();
        this.biases = biases;
        this.threads = threads;
        this.tokens = (int) x.getShape().get(1);
        this.rows = tokens;
        this.size = size;
        NDArray each = manager.eye(tokens);
        this.blocks = IntStream.range(0, Math.ceilDiv(tokens, size))
                .mapToObj(block -> each.get(sources(block))
                        .expandDims(2)
                        .mul(x.get(new NDIndex("0, {}:{}", block * size, Math.min(tokens, (block + 1) * size)))))
                .toArray(NDArray[]::new);
    }

    /**
     * Decomposes the mean of the pooled hidden states.
     *
     * @param batch of one row
     * @param floats approximate size of a block in the widest step
     * @return part of each source, (tokens, width)
     */
    static NDArray of(Bert bert, Batch batch, BiasShares biases, int threads, long floats) {
        NDArray x = bert.norm().of(bert.placed(bert.embed(batch.ids()), batch.padding()));
        int tokens = (int) x.getShape().get(1);
        long inner = bert.layers().getFirst().inner().bias().getShape().get(0);
        int size = Math.clamp(floats / (tokens * inner), 1, tokens);
        Propagation parts = new Propagation(x, size, biases, threads);
        int last = bert.layers().size() - 1;
        for (int i = 0; i <= last; i++) {
            Bert.Layer layer = bert.layers().get(i);
            Bert.Layer.Pass pass =
                    layer.pass(x, bert.heads(), null, batch.padding().calibration(i, last + 1));
            // After the last layer only pooled tokens matter.
            Span own = i == last ? pooled(batch) : new Span(0, tokens);
            parts.through(layer, pass, own.start(), own.end());
            x = pass.out();
        }
        return parts.mean();
    }

    private static Span pooled(Batch batch) {
        float[] mask = batch.pooled().toFloatArray();
        int[] those = IntStream.range(0, mask.length).filter(i -> mask[i] != 0).toArray();
        return new Span(those[0], those[those.length - 1] + 1);
    }

    private void through(Bert.Layer layer, Bert.Layer.Pass pass, int from, int to) {
        NDArray weights = pass.attention().get(new NDIndex("0, :, {}:{}", from, to));
        NDIndex own = new NDIndex("0, {}:{}", from, to);
        rows = to - from;
        attention(layer, weights, new NDIndex("{}:{}", from, to));
        norm(layer.attentionNorm(), pass.mixed().get(own));
        maps(layer, pass.inner().get(own));
        norm(layer.norm(), pass.summed().get(own));
    }

    /** Applies attention. The value bias is merged into the output bias, because attention weights sum to 1. */
    private void attention(Bert.Layer layer, NDArray weights, NDIndex rows) {
        NDArray bias = layer.output().of(copy(layer.value().bias()));
        each(bias, (block, ignored) -> {
            NDArray mixed = mixed(linear(block, layer.value().weight()), weights);
            NDArray summed = block.get(rows).addi(linear(mixed, layer.output().weight()));
            return new NDList(summed, linear(summed, bias));
        });
    }

    /** Mixes values (tokens, sources, width) by attention weights to (rows, sources, width). */
    private static NDArray mixed(NDArray values, NDArray weights) {
        long heads = weights.getShape().get(0);
        Shape shape = values.getShape();
        long size = shape.get(2) / heads;
        NDArray byHead = values.reshape(shape.get(0), shape.get(1), heads, size)
                .transpose(2, 0, 1, 3)
                .reshape(heads, shape.get(0), shape.get(1) * size);
        NDArray mixed = weights.matMul(byHead);
        mixed.attach(values.getManager());
        return mixed.reshape(heads, -1, shape.get(1), size)
                .transpose(1, 2, 0, 3)
                .reshape(-1, shape.get(1), shape.get(2));
    }

    /**
     * Applies a norm.
     *
     * @param whole input of the norm, (rows, width)
     */
    private void norm(Bert.Norm norm, NDArray whole) {
        NDArray centred = whole.sub(whole.mean(new int[] {1}, true));
        NDArray deviation = centred.mul(centred)
                .mean(new int[] {1}, true)
                .add(norm.epsilon())
                .sqrt();
        NDArray stretch = copy(norm.weight()).div(deviation).expandDims(1);
        NDArray bias = copy(norm.bias());
        each(bias, (block, ignored) -> {
            NDArray normed = block.subi(block.mean(new int[] {2}, true)).muli(stretch);
            return new NDList(normed, linear(normed, bias));
        });
    }

    /**
     * Applies the feed-forward network.
     *
     * @param whole input of GELU, (rows, inner width)
     */
    private void maps(Bert.Layer layer, NDArray whole) {
        NDArray slope = whole.div(Math.sqrt(2)).erf().add(1).div(2).expandDims(1);
        NDArray first = copy(layer.inner().bias());
        // Products with the inner bias are computed before the map, where rows are narrow.
        NDArray back = first.matMul(layer.inner().weight());
        each(null, (block, ignored) -> new NDList(block, linear(block, back)));
        NDArray second = copy(layer.outer().bias());
        each(second, (block, inFirst) -> {
            NDArray inner = linear(block, layer.inner().weight())
                    .addi(Objects.requireNonNull(inFirst).mul(first))
                    .muli(slope);
            NDArray outer = linear(inner, layer.outer().weight());
            return new NDList(block.addi(outer), linear(outer, second));
        });
    }

    /** Step on a block of sources. */
    private interface Step {
        /**
         * Processes a block in place.
         *
         * @param block (rows, sources, width)
         * @param shares of the sources in the previous bias, (rows, sources, 1); null before the first bias
         * @return the block, and its inner products with the next bias, (rows, sources, 1)
         */
        NDList of(NDArray block, @Nullable NDArray shares);
    }

    /**
     * Adds the pending bias to every block and applies a step.
     *
     * @param next bias pending after the step; null if it is not added to the blocks
     */
    private void each(@Nullable NDArray next, Step step) {
        // Allocated first: a small array between freed large ones would fragment memory.
        NDArray products = manager.zeros(new Shape(rows, tokens));
        Parallel.forChunks(threads, blocks.length, 1, () -> (from, to) -> {
            for (int i = from; i < to; i++) {
                try (NDManager scratch = manager.newSubManager()) {
                    blocks[i].attach(scratch);
                    NDArray own = shares == null
                            ? null
                            : shares.get(scratch, sources(i)).expandDims(2);
                    NDArray whole = own == null || pending == null ? blocks[i] : blocks[i].addi(own.mul(pending));
                    NDList done = step.of(whole, own);
                    blocks[i] = done.getFirst();
                    blocks[i].attach(manager);
                    products.set(sources(i), done.getLast().squeeze(2));
                }
            }
        });
        shares = Shares.of(biases, products);
        pending = next;
    }

    private NDIndex sources(int block) {
        return new NDIndex(":, {}:{}", block * size, (block + 1) * size);
    }

    /** Returns the mean over rows, (sources, width). */
    private NDArray mean() {
        NDList own = new NDList(
                Stream.of(blocks).map(block -> block.mean(new int[] {0})).toList());
        NDArray means = NDArrays.concat(own, 0);
        return shares == null || pending == null
                ? means
                : means.add(shares.mean(new int[] {0}).expandDims(1).mul(pending));
    }

    /** Copies a vector to (1, size) in this manager, which then frees all derived arrays. */
    private NDArray copy(NDArray vector) {
        return manager.zeros(new Shape(1, vector.getShape().get(0))).add(vector);
    }

    private static NDArray linear(NDArray x, NDArray weight) {
        return x.getNDArrayInternal().linear(x, weight, null).singletonOrThrow();
    }
}

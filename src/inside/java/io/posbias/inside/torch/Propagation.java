package io.posbias.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import io.posbias.Parallel;
import io.posbias.dataset.Span;
import io.posbias.inside.BiasShares;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts that tokens have in each vector of a BERT, layer by layer: DecompX (Modarressi et al. 2023, arXiv:2306.02873). A
 * part goes through a layer as if the layer were linear, with what is not taken from the whole: weights of attention,
 * standard deviations of norms, and for GELU the line through the origin and the value, whose slope is Phi(x). A bias is
 * {@linkplain BiasShares shared} by the parts where it is added.
 *
 * <p>Parts of one source meet those of another only in shares of biases. So sources go through a step in blocks, on several
 * threads, and all of them are in memory once: tokens x tokens x width floats, which steps change where they are (arrays of
 * such sizes that come and go leave holes that no other fits into). The size of a block depends on the text alone, and with
 * it the results.
 */
final class Propagation {
    /** About how many floats a block has in the widest step: 16 MB. */
    static final long BLOCK = 1L << 22;

    private final NDManager manager;
    private final BiasShares biases;
    private final int threads;
    private final int tokens;
    private final int size;
    private final NDArray[] blocks;
    private int rows;
    /** Of each source in the bias that was met last: (rows, sources). */
    private @Nullable NDArray shares;
    /** That bias, (1, width), while no block has it yet. */
    private @Nullable NDArray pending;

    /**
     * Tokens by themselves: each source has the whole of its own vector.
     *
     * @param x (1, tokens, width)
     * @param size how many sources a block has at most
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
     * The mean of the last layer's vectors over the tokens that are pooled, as a sum.
     *
     * @param batch of one row
     * @param floats that a block has in the widest step, about
     * @return the part of each source, (tokens, width)
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
            // What is not pooled is seen by no other token behind the last layer.
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

    /** The values' bias comes with the output's: weights of attention sum to 1. */
    private void attention(Bert.Layer layer, NDArray weights, NDIndex rows) {
        NDArray bias = layer.output().of(copy(layer.value().bias()));
        each(bias, (block, ignored) -> {
            NDArray mixed = mixed(linear(block, layer.value().weight()), weights);
            NDArray summed = block.get(rows).addi(linear(mixed, layer.output().weight()));
            return new NDList(summed, linear(summed, bias));
        });
    }

    /** The values (tokens, sources, width) that rows attend to, (rows, sources, width). */
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

    /** @param whole what went into the norm: (rows, width) */
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

    /** @param whole what went into GELU: (rows, inner width) */
    private void maps(Bert.Layer layer, NDArray whole) {
        NDArray slope = whole.div(Math.sqrt(2)).erf().add(1).div(2).expandDims(1);
        NDArray first = copy(layer.inner().bias());
        // Products with the inner bias as they are before the map, where they are narrow.
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

    /** A step on the parts of some sources. */
    private interface Step {
        /**
         * @param block (rows, sources, width)
         * @param shares of the sources in the bias that was met last, (rows, sources, 1)
         * @return the block, changed where it is, and products with the bias that is met now, (rows, sources, 1)
         */
        NDList of(NDArray block, @Nullable NDArray shares);
    }

    /**
     * Does a step on every block, after what it waits for was added.
     *
     * @param next a bias of the blocks that the step gives; null if it is none of theirs
     */
    private void each(@Nullable NDArray next, Step step) {
        // Made before: a small array among large ones that are gone keeps these holes from being one.
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

    /** Over rows: (sources, width). */
    private NDArray mean() {
        NDList own = new NDList(
                Stream.of(blocks).map(block -> block.mean(new int[] {0})).toList());
        NDArray means = NDArrays.concat(own, 0);
        return shares == null || pending == null
                ? means
                : means.add(shares.mean(new int[] {0}).expandDims(1).mul(pending));
    }

    /** (1, size), of this run: what is computed of it goes with it. */
    private NDArray copy(NDArray vector) {
        return manager.zeros(new Shape(1, vector.getShape().get(0))).add(vector);
    }

    private static NDArray linear(NDArray x, NDArray weight) {
        return x.getNDArrayInternal().linear(x, weight, null).singletonOrThrow();
    }
}

package io.posbias.model.inside.torch;

import io.posbias.base.process.Session;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.posbias.base.json.Setting;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.inside.WhiteBoxEngine;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Model in training, with gradient caching (Gao et al. 2021, arXiv:2101.06983), so that any batch fits into memory. All
 * micro-batches are first encoded without a graph. After the loss, each is encoded again with a graph, and the gradient
 * of its vectors is propagated back. A batch of at most {@link Limits#keptTokens} tokens is encoded once and its graphs
 * are kept; the results are equal.
 *
 * <p>Micro-batch i belongs to slot i mod {@value #SLOTS}. Gradients are summed in order within a slot, then across
 * slots: weights are bit-identical for any number of threads. A TorchScript graph has one slot. There is no dropout.
 * Vectors have length 1. PyTorch receives only the token embeddings of the batch. Call {@link #vectors}, {@link #learn}
 * and {@link #update} in turn for each batch.
 */
public final class Trainee implements AutoCloseable {
    /** Prefixes of tensor names in {@link #state}. */
    public static final List<String> MOMENTS = List.of(AdamW.FIRST, AdamW.SECOND);

    /** Maximum number of threads in use. */
    private static final int SLOTS = 4;

    private final WhiteBox box;
    private final Limits limits;
    private final int threads;
    private final String table;
    private final Map<String, Trained> weights = new TreeMap<>();
    private final List<Slot> slots = new ArrayList<>();
    private int[] tokens = {};
    private List<TokenRow> rows = List.of();
    private List<int[]> parts = List.of();
    private boolean kept;
    private long step;

    /**
     * Limits of micro-batches and gradients.
     *
     * @param microBatch maximum tokens of a micro-batch with padding; a single longer text is allowed
     * @param keptTokens maximum tokens of a batch that is encoded only once
     * @param weightDecay of AdamW, below 1
     * @param clip maximum norm of the gradient; 0 for no clipping
     */
    public record Limits(
            @Setting(least = 1) int microBatch,
            @Setting(usual = "0", least = 0) int keptTokens,
            @Setting(least = 0, below = 1) double weightDecay,
            @Setting(least = 0) double clip) {}

    /** Weight whose PyTorch array is updated from the optimiser. */
    private static final class Trained {
        final NDArray array;
        final AdamW adam;
        /** Gradient of the batch; null if no vector depends on the weight, for example a pooler's. */
        float @Nullable [] gradient;

        private @Nullable ByteBuffer copy;

        Trained(String name, NDArray array, double decay) {
            this.array = array;
            List<Integer> shape = LongStream.of(array.getShape().getShape())
                    .mapToObj(Math::toIntExact)
                    .toList();
            this.adam = new AdamW(name, new Weight(array.toFloatArray(), shape), decay);
        }

        void follow() {
            if (copy == null) {
                copy = ByteBuffer.allocateDirect(Math.toIntExact(array.size() * Float.BYTES))
                        .order(ByteOrder.nativeOrder());
            }
            copy.asFloatBuffer().put(adam.values());
            // In place, because leaves share the memory of the array; set and copyTo would replace it.
            try (NDArray now = array.getManager().create(copy, array.getShape(), DataType.FLOAT32)) {
                array.muli(0).addi(now);
            }
        }
    }

    /** Vectors of a micro-batch with their graph. */
    private record Encoded(NDManager workspace, NDArray vectors) {}

    /** Sequence of micro-batches with separate gradients. */
    private final class Slot {
        private final NDManager manager = box.workspace();
        private final Map<String, NDArray> leaves = box.leaves(manager);
        private final Map<Integer, Encoded> encoded = new TreeMap<>();
        private Transformer transformer = box.transformer(Role.PASSAGE);

        Slot() {
            leaves.remove(table);
        }

        /**
         * Clears the gradients for a new batch.
         *
         * @param embeddings token embeddings of the batch
         */
        void begin(float[] embeddings) {
            leaves.values().forEach(Torch::clear);
            NDArray own = manager.create(embeddings, new Shape(tokens.length, embeddings.length / tokens.length));
            own.setRequiresGradient(true);
            leaves.put(table, own);
            transformer = box.transformer(leaves);
        }

        private NDArray encode(int part, NDManager workspace) {
            List<TokenRow> own =
                    Arrays.stream(parts.get(part)).mapToObj(rows::get).toList();
            return WhiteBox.normalised(box.encode(transformer, box.batch(own, 0, workspace)));
        }

        void encode(int part, float[][] into) {
            NDManager workspace = manager.newSubManager();
            NDArray vectors = encode(part, workspace);
            float[] flat = vectors.toFloatArray();
            int[] own = parts.get(part);
            int width = flat.length / own.length;
            for (int i = 0; i < own.length; i++) {
                into[own[i]] = Arrays.copyOfRange(flat, i * width, (i + 1) * width);
            }
            if (kept) {
                encoded.put(part, new Encoded(workspace, vectors));
            } else {
                workspace.close();
            }
        }

        void learn(int part, float[][] toVectors) {
            int[] own = parts.get(part);
            int width = toVectors[own[0]].length;
            float[] flat = new float[own.length * width];
            for (int i = 0; i < own.length; i++) {
                System.arraycopy(toVectors[own[i]], 0, flat, i * width, width);
            }
            Encoded before = encoded.remove(part);
            try (NDManager workspace = before == null ? manager.newSubManager() : before.workspace()) {
                NDArray vectors = before == null ? encode(part, workspace) : before.vectors();
                Torch.backward(vectors, workspace.create(flat, new Shape(own.length, width)));
            }
        }

        void end() {
            encoded.clear();
            NDArray own = leaves.remove(table);
            if (own != null) {
                own.close();
            }
        }
    }

    private Trainee(WhiteBox box, Limits limits, int threads) {
        this.box = box;
        this.limits = limits;
        this.threads = threads;
        this.table = box.table();
        box.parameters().forEach((name, array) -> weights.put(name, new Trained(name, array, limits.weightDecay())));
        int most = box.hasManyLeaves() ? SLOTS : 1;
        for (int i = 0; i < most; i++) {
            slots.add(new Slot());
        }
    }

    /**
     * Refuses a model that cannot be trained, without loading anything.
     *
     * @return the recipe
     * @throws UsageException if the model is not a white box with one encoder and no head
     */
    public static DenseRecipe check(Recipe recipe, Session session) {
        DenseRecipe dense = WhiteBoxEngine.check(recipe, session);
        // An exported graph has the layer inside.
        boolean head = recipe.settings().has("head");
        if (head || dense.model().queryEncoder() != null) {
            throw new UsageException(recipe.name() + " has "
                    + (head ? "a linear layer behind its pooling" : "an encoder for queries of its own")
                    + ": only models with one encoder and nothing behind it can be trained");
        }
        return dense;
    }

    /**
     * Loads a model for training.
     *
     * @param recipe accepted by {@link #check}
     */
    public static Trainee open(Recipe recipe, Limits limits, Engine engine) {
        return new Trainee(WhiteBox.open(recipe, engine), limits, engine.threads());
    }

    /** Returns the tokenization of a role. */
    public TextRows rows(Role role) {
        return box.rows(role);
    }

    /**
     * Encodes a batch.
     *
     * @return one vector of length 1 per row
     */
    public float[][] vectors(List<TokenRow> batch) {
        tokens = batch.stream()
                .flatMapToInt(row -> Arrays.stream(row.ids()))
                .distinct()
                .sorted()
                .toArray();
        rows = batch.stream().map(this::renamed).toList();
        parts = parts(rows, limits.microBatch());
        kept = rows.stream().mapToInt(TokenRow::size).sum() <= limits.keptTokens();
        float[] embeddings = embeddings();
        slots.forEach(slot -> slot.begin(embeddings));
        float[][] vectors = new float[rows.size()][];
        forParts(kept, (slot, part) -> slot.encode(part, vectors));
        return vectors;
    }

    /** Replaces token identifiers by their indices in {@link #tokens}. */
    private TokenRow renamed(TokenRow row) {
        int[] ids = Arrays.stream(row.ids())
                .map(id -> Arrays.binarySearch(tokens, id))
                .toArray();
        return new TokenRow(ids, row.types(), row.hidden(), row.prompt(), row.seen());
    }

    private float[] embeddings() {
        AdamW whole = weight(table).adam;
        int width = whole.width();
        float[] own = new float[tokens.length * width];
        for (int i = 0; i < tokens.length; i++) {
            System.arraycopy(whole.values(), tokens[i] * width, own, i * width, width);
        }
        return own;
    }

    private Trained weight(String name) {
        return Objects.requireNonNull(weights.get(name));
    }

    /** Splits rows into micro-batches by decreasing length, which keeps padding small. */
    static List<int[]> parts(List<TokenRow> rows, int tokens) {
        List<Integer> order = IntStream.range(0, rows.size())
                .boxed()
                .sorted(Comparator.comparingInt(row -> -rows.get(row).size()))
                .toList();
        List<int[]> parts = new ArrayList<>();
        for (int from = 0; from < order.size(); ) {
            int most = Math.max(1, tokens / rows.get(order.get(from)).size());
            int to = Math.min(order.size(), from + most);
            parts.add(order.subList(from, to).stream().mapToInt(row -> row).toArray());
            from = to;
        }
        return parts;
    }

    /** Action on a micro-batch in its slot. */
    @FunctionalInterface
    private interface Work {
        void of(Slot slot, int part);
    }

    private void forParts(boolean graph, Work work) {
        Parallel.forChunks(threads, slots.size(), 1, () -> (from, to) -> {
            Torch.gradients(graph);
            for (int part = from; part < parts.size(); part += slots.size()) {
                work.of(slots.get(from), part);
            }
        });
    }

    /**
     * Propagates the gradient of the loss from the vectors back to the weights.
     *
     * @param toVectors gradient with respect to each vector
     * @return norm of the gradient of all weights, before clipping
     */
    public double learn(float[][] toVectors) {
        forParts(true, (slot, part) -> slot.learn(part, toVectors));
        List<String> names = List.copyOf(weights.keySet());
        double[] squares = new double[names.size()];
        Parallel.forChunks(threads, squares.length, 1, () -> (from, to) -> {
            Torch.gradients(false);
            float[] sum = sum(names.get(from));
            weight(names.get(from)).gradient = sum;
            squares[from] = sum == null ? 0 : squared(sum);
        });
        return Math.sqrt(Arrays.stream(squares).sum());
    }

    /** Sums the gradient of a weight over the used slots, in order. */
    private float @Nullable [] sum(String name) {
        float[] sum = null;
        for (Slot slot : slots.subList(0, Math.min(slots.size(), parts.size()))) {
            try (@Nullable NDArray own = Torch.gradient(Objects.requireNonNull(slot.leaves.get(name)))) {
                if (own != null) {
                    sum = added(sum, own.toFloatArray());
                }
            }
        }
        return sum;
    }

    private static float[] added(float @Nullable [] sum, float[] more) {
        if (sum == null) {
            return more;
        }
        for (int i = 0; i < more.length; i++) {
            sum[i] += more[i];
        }
        return sum;
    }

    private static double squared(float[] values) {
        double squares = 0;
        for (float value : values) {
            squares += (double) value * value;
        }
        return squares;
    }

    /**
     * Updates the weights and ends the batch.
     *
     * @param rate learning rate of the step
     * @param length norm of the gradient, from {@link #learn}
     */
    public void update(double rate, double length) {
        step++;
        float scale = limits.clip() > 0 && length > limits.clip() ? (float) (limits.clip() / length) : 1;
        List<String> names = List.copyOf(weights.keySet());
        Parallel.forChunks(threads, names.size(), 1, () -> (from, to) -> {
            Torch.gradients(false);
            move(names.get(from), scale, rate);
        });
        slots.forEach(Slot::end);
    }

    private void move(String name, float scale, double rate) {
        Trained weight = weight(name);
        float[] gradient = weight.gradient;
        if (gradient == null) {
            return;
        }
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] *= scale;
        }
        weight.gradient = null;
        if (name.equals(table)) {
            weight.adam.moveRows(gradient, tokens, rate, step);
        } else {
            weight.adam.move(gradient, rate, step);
            weight.follow();
        }
    }

    WhiteBox box() {
        return box;
    }

    String table() {
        return table;
    }

    /** Returns the number of parameters. */
    public long size() {
        return weights.values().stream()
                .mapToLong(weight -> weight.array.size())
                .sum();
    }

    /** Returns the weights by their Hugging Face names. The next step changes them. */
    public SortedMap<String, Weight> weights() {
        SortedMap<String, Weight> all = new TreeMap<>();
        weights.forEach((name, weight) -> all.put(name, weight.adam.tensor()));
        return all;
    }

    /** Returns the state of the optimiser as tensors. The next step changes them. */
    public SortedMap<String, Weight> state() {
        SortedMap<String, Weight> all = new TreeMap<>();
        weights.values().forEach(weight -> all.putAll(weight.adam.state()));
        return all;
    }

    /**
     * Restores a checkpoint.
     *
     * @param steps number of completed steps
     * @param then {@link #weights} of the checkpoint
     * @param state {@link #state} of the checkpoint
     */
    public void restore(long steps, Map<String, Weight> then, Map<String, Weight> state) {
        Torch.gradients(false);
        step = steps;
        weights.forEach((name, weight) -> {
            weight.adam.restore(then.get(name), state);
            if (!name.equals(table)) {
                weight.follow();
            }
        });
    }

    @Override
    public void close() {
        box.close();
    }
}

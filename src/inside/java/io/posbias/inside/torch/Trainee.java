package io.posbias.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.posbias.Parallel;
import io.posbias.UsageException;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.model.DenseSettings;
import io.posbias.encode.onnx.TextRows;
import io.posbias.encode.onnx.TokenRow;
import io.posbias.encode.onnx.Weight;
import io.posbias.inside.WhiteBoxEngine;
import io.posbias.retrieve.Recipe;
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
 * A model in training. A batch of texts goes through it in micro-batches of about as many tokens, so that any batch fits into
 * memory: all are encoded without a graph; from the loss's gradient with respect to the vectors, each micro-batch is then
 * encoded once more, with a graph, and the gradient sent back through it. Gao et al. 2021, arXiv:2101.06983. A batch whose
 * tokens fit is encoded once, and its graphs are kept meanwhile; the numbers are the same.
 *
 * <p>Micro-batch i belongs to slot i mod {@value #SLOTS}; a slot adds up its gradients in order, and slots are added in order:
 * the weights are the same to the bit for any number of threads. A TorchScript graph has one slot. There is no dropout. Vectors have length 1. Of the table of
 * token embeddings only the rows of a batch's tokens go through PyTorch. One batch at a time: {@link #vectors},
 * {@link #learn}, {@link #update}.
 */
public final class Trainee implements AutoCloseable {
    /** What names of the tensors of {@link #state} begin with. */
    public static final List<String> MOMENTS = List.of(AdamW.FIRST, AdamW.SECOND);

    /** More threads than these have nothing to do. */
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
     * How a batch is cut, and how far a step may go.
     *
     * @param microBatch tokens of a micro-batch at most, padding included, unless a single text has more
     * @param keptTokens of a batch that is encoded once only
     * @param decay of weights
     * @param clip the length that a longer gradient is scaled to; 0 for no such limit
     */
    public record Limits(int microBatch, int keptTokens, double decay, double clip) {}

    /** A weight: PyTorch's numbers follow those of the optimiser. */
    private static final class Trained {
        final NDArray array;
        final AdamW adam;
        /** The batch's gradient; null where no vector depends on it, as on a pooler's weights. */
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
            // In place, which set and copyTo are not: leaves share the array's memory.
            try (NDArray now = array.getManager().create(copy, array.getShape(), DataType.FLOAT32)) {
                array.muli(0).addi(now);
            }
        }
    }

    /** Vectors with their graph. */
    private record Encoded(NDManager workspace, NDArray vectors) {}

    /** Micro-batches that follow one another, with leaves of their own. */
    private final class Slot {
        private final NDManager manager = box.workspace();
        private final Map<String, NDArray> leaves = box.leaves(manager);
        private final Map<Integer, Encoded> encoded = new TreeMap<>();
        private Transformer transformer = box.transformer(Role.PASSAGE);

        Slot() {
            leaves.remove(table);
        }

        /** @param embeddings the rows of the table that the batch needs */
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
        box.parameters().forEach((name, array) -> weights.put(name, new Trained(name, array, limits.decay())));
        int most = box.hasManyLeaves() ? SLOTS : 1;
        for (int i = 0; i < most; i++) {
            slots.add(new Slot());
        }
    }

    /**
     * Refuses a model that cannot be trained, without loading anything.
     *
     * @throws UsageException saying why
     */
    public static void check(Recipe recipe) {
        WhiteBoxEngine.check(recipe);
        DenseSettings settings = DenseSettings.of(recipe.name(), recipe.settings());
        boolean head = recipe.settings().has("head");
        if (head || settings.queryFiles() != null) {
            throw new UsageException(recipe.name() + " has "
                    + (head ? "a linear layer behind its pooling" : "an encoder for queries of its own")
                    + ": only models with one encoder and nothing behind it can be trained");
        }
    }

    /**
     * Loads a model to train it.
     *
     * @param recipe one that {@link #check} takes
     */
    public static Trainee open(Recipe recipe, Limits limits, Engine engine) {
        return new Trainee(WhiteBox.open(recipe, engine), limits, engine.threads());
    }

    /** What makes rows of the texts of a role. */
    public TextRows rows(Role role) {
        return box.rows(role);
    }

    /**
     * The vectors of a batch's texts.
     *
     * @return one of length 1 for each row
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

    /** The same row with the places of its tokens among the batch's. */
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

    /** Longest first, each micro-batch of neighbours: little is padded. */
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

    /** What is done with a micro-batch by the slot that it belongs to. */
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
     * Sends the gradient of the loss with respect to the vectors back to the weights.
     *
     * @param toVectors as many as vectors and as long
     * @return the length of the gradient over all weights, before {@link Limits#clip}
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

    /** The gradient of a weight over the slots that were used, in order. */
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
     * Moves the weights along the gradient and ends the batch.
     *
     * @param rate the step's learning rate
     * @param length what {@link #learn} gave
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

    /** Returns the name of the token embeddings. */
    String table() {
        return table;
    }

    /** How many parameters it has. */
    public long size() {
        return weights.values().stream()
                .mapToLong(weight -> weight.array.size())
                .sum();
    }

    /** The weights by the names of Hugging Face's module; they change with the next step. */
    public SortedMap<String, Weight> weights() {
        SortedMap<String, Weight> all = new TreeMap<>();
        weights.forEach((name, weight) -> all.put(name, weight.adam.tensor()));
        return all;
    }

    /** What the optimiser remembers, as tensors of a file; they change with the next step. */
    public SortedMap<String, Weight> state() {
        SortedMap<String, Weight> all = new TreeMap<>();
        weights.values().forEach(weight -> all.putAll(weight.adam.state()));
        return all;
    }

    /**
     * Goes on from where a training stopped.
     *
     * @param steps how many were done
     * @param then what {@link #weights} gave then
     * @param state what {@link #state} gave then
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

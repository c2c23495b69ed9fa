package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Span;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.model.Pooling;
import io.posbias.model.encode.onnx.LinearHead;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenPlaces;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.inside.Architecture;
import io.posbias.model.inside.WeightFiles;
import io.posbias.model.inside.Reading;
import io.posbias.model.inside.WhiteBoxEngine;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Dense encoder with a differentiable forward pass. Vectors equal those of ONNX Runtime up to rounding. Safe for
 * several threads with one workspace each.
 */
public final class WhiteBox implements AutoCloseable {
    private final DenseSettings settings;
    private final Architecture architecture;
    private final Tokenizer tokenizer;
    private final NDManager manager;
    private final Map<String, NDArray> parameters;
    private final Transformer transformer;
    private final Transformer queries;
    private final @Nullable TorchScript script;
    private final @Nullable Head head;

    /** Linear layer after pooling. */
    record Head(NDArray weight, @Nullable NDArray bias, boolean tanh) {
        NDArray of(NDArray vectors) {
            NDArray linear = vectors.matMul(weight.transpose());
            NDArray moved = bias == null ? linear : linear.add(bias);
            return tanh ? moved.tanh() : moved;
        }
    }

    private WhiteBox(Recipe recipe, Engine engine) {
        DenseRecipe dense = WhiteBoxEngine.check(recipe, engine.session());
        this.settings = dense.model();
        this.architecture = Architecture.of(dense);
        ModelFiles files = settings.graph().files();
        ModelFiles own = settings.queryFiles();
        // Checks that files exist first, because PyTorch is slow to load.
        Path graph = architecture.torchscript().isEmpty()
                ? null
                : files.require(architecture.torchscript(), engine.home());
        architecture.weights().ifPresent(weights -> weights.requireAll(engine.home()));
        this.tokenizer = files.tokenizer(engine.session());
        this.manager = Torch.open(OnnxRuntime.on(engine.device(), engine.session()).device(), engine.session());
        try {
            this.script = graph == null ? null : TorchScript.load(graph, manager);
            this.parameters = script == null
                    ? WeightFiles.read(files, architecture, table(), engine, this::array)
                    : overwritten(script.parameters(), files, engine);
            this.transformer = transformer(parameters);
            this.queries = own == null
                    ? transformer
                    : Bert.over(architecture, WeightFiles.ofGraph(own, table(), engine, this::array));
            this.head = settings.graph().head().stream()
                    .map(layer -> head(layer, files.tensors(layer.file(), engine.home())))
                    .findFirst()
                    .orElse(null);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /**
     * Loads a model.
     *
     * @throws UsageException if the model is not a dense encoder with known pooling
     * @throws io.posbias.base.process.PosbiasException if PyTorch is missing, or the weights do not match the recipe's family
     */
    public static WhiteBox open(Recipe recipe, Engine engine) {
        return new WhiteBox(recipe, engine);
    }

    /** Overwrites weights of a TorchScript file with the safetensors files of the recipe, if it has any. */
    private Map<String, NDArray> overwritten(Map<String, NDArray> weights, ModelFiles files, Engine engine) {
        Torch.gradients(false);
        if (architecture.weights().isPresent()) {
            Map<String, NDArray> others = WeightFiles.read(files, architecture, table(), engine, this::array);
            weights.forEach((name, weight) -> {
                try (NDArray other = new Weights(others).of(name, weight.getShape())) {
                    weight.muli(0).addi(other);
                }
            });
        }
        weights.values().forEach(weight -> weight.setRequiresGradient(false));
        return weights;
    }

    /** Returns the forward pass over other weights. A TorchScript graph takes only the table of token embeddings. */
    Transformer transformer(Map<String, NDArray> weights) {
        return script == null
                ? Bert.over(architecture, weights)
                : script.with(Objects.requireNonNull(weights.get(table())));
    }

    /** Returns leaves with gradients that share memory with the weights. */
    Map<String, NDArray> leaves(NDManager workspace) {
        Map<String, NDArray> leaves = new HashMap<>(parameters);
        if (script == null) {
            leaves.replaceAll((name, weight) -> Torch.leaf(weight, workspace));
        } else {
            leaves.values().forEach(weight -> weight.setRequiresGradient(true));
        }
        return leaves;
    }

    /** Returns true if each call of {@link #leaves} gives separate gradients. A TorchScript graph has one set. */
    boolean hasManyLeaves() {
        return script == null;
    }

    private NDArray array(Weight weight) {
        return Torch.array(weight, manager);
    }

    private Head head(LinearHead.HeadSettings layer, Safetensors file) {
        return new Head(
                array(file.tensor(layer.weight())),
                layer.bias().isEmpty() ? null : array(file.tensor(layer.bias())),
                layer.tanh());
    }

    /** Returns the tokenization of a role. */
    public TextRows rows(Role role) {
        return settings.rows(tokenizer, role);
    }

    /** Tokenizes a text with truncation. */
    public Reading read(String text, Role role) {
        TextRows rows = rows(role);
        TokenRow row = rows.row(text);
        TokenPlaces places = rows.places(text);
        List<Reading.Token> tokens = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            int own = places.token(i);
            tokens.add(new Reading.Token(
                    tokenizer.piece(row.ids()[i]),
                    own == TokenPlaces.NO_TOKEN ? null : new Span(places.starts()[own], places.ends()[own])));
        }
        return new Reading(List.copyOf(tokens), row.seen() != TokenRow.WHOLE);
    }

    /** Returns the current weights by name. */
    Map<String, NDArray> parameters() {
        return parameters;
    }

    boolean isTorchScript() {
        return script != null;
    }

    String weightsFile() {
        return architecture
                .weights()
                .map(files -> String.join(", ", files.all()))
                .orElse(architecture.torchscript());
    }

    String table() {
        return script == null ? Bert.TABLE : script.tableName();
    }

    Pooling pooling() {
        return settings.pooling().getFirst();
    }

    /** Returns true if scores are cosines. */
    public boolean isCosine() {
        return settings.graph().normalise();
    }

    /** Returns the linear layer after pooling; null for none. */
    @Nullable
    Head head() {
        return head;
    }

    /** Creates a manager that frees its arrays when closed. */
    NDManager workspace() {
        return manager.newSubManager();
    }

    Transformer transformer(Role role) {
        return role == Role.QUERY ? queries : transformer;
    }

    Batch batch(List<TokenRow> rows, NDManager workspace) {
        return batch(rows, tokenizer.padId(), workspace);
    }

    /**
     * Pads rows to a batch with a given padding token.
     *
     * @param padId any valid token identifier
     */
    Batch batch(List<TokenRow> rows, int padId, NDManager workspace) {
        return Batch.of(rows, padId, settings, workspace);
    }

    /**
     * Applies pooling, head and normalisation to hidden states.
     *
     * @param hidden (rows, columns, width)
     * @return (rows, dimension)
     */
    NDArray vectors(NDArray hidden, Batch batch) {
        NDArray pooled = batch.pooled(hidden, pooling());
        NDArray projected = head == null ? pooled : head.of(pooled);
        return settings.graph().normalise() ? normalised(projected) : projected;
    }

    /** Scales rows to length 1. */
    static NDArray normalised(NDArray vectors) {
        return vectors.div(lengths(vectors));
    }

    /** Returns the L2 norm of each row, at least the smallest normal float: (rows, 1). */
    static NDArray lengths(NDArray vectors) {
        NDArray length = vectors.mul(vectors).sum(new int[] {1}, true).sqrt();
        return length.maximum(Torch.number(Float.MIN_NORMAL, length));
    }

    /**
     * Encodes a batch.
     *
     * @param with forward pass over the model's weights or over leaves
     */
    NDArray encode(Transformer with, Batch batch) {
        return vectors(with.hidden(with.embed(batch.ids()), batch.padding()), batch);
    }

    /**
     * Encodes a text.
     *
     * @return vector of {@code dimension} numbers
     */
    public float[] vector(String text, Role role) {
        try (NDManager workspace = workspace()) {
            Batch batch = batch(List.of(rows(role).row(text)), workspace);
            return encode(Objects.requireNonNull(transformer(role)), batch).toFloatArray();
        }
    }

    @Override
    public void close() {
        manager.close();
        tokenizer.close();
    }
}

package io.posbias.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.posbias.UsageException;
import io.posbias.dataset.Span;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.model.DenseSettings;
import io.posbias.encode.model.Pooling;
import io.posbias.encode.onnx.LinearHead;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxRuntime;
import io.posbias.encode.onnx.Safetensors;
import io.posbias.encode.onnx.TextRows;
import io.posbias.encode.onnx.TokenPlaces;
import io.posbias.encode.onnx.TokenRow;
import io.posbias.encode.onnx.Tokenizer;
import io.posbias.encode.onnx.Weight;
import io.posbias.inside.Architecture;
import io.posbias.inside.Reading;
import io.posbias.inside.WhiteBoxEngine;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A dense encoder that can be looked into: the forward pass of its recipe over arrays of an autograd engine, with the
 * weights of its file. Its vectors are those of ONNX Runtime up to rounding. Safe for several threads, each with a manager
 * of its own.
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

    /** The linear layer behind the pooling. */
    record Head(NDArray weight, @Nullable NDArray bias, boolean tanh) {
        NDArray of(NDArray vectors) {
            NDArray linear = vectors.matMul(weight.transpose());
            NDArray moved = bias == null ? linear : linear.add(bias);
            return tanh ? moved.tanh() : moved;
        }
    }

    private WhiteBox(Recipe recipe, Engine engine) {
        WhiteBoxEngine.check(recipe);
        this.settings = DenseSettings.of(recipe.name(), recipe.settings());
        this.architecture = Architecture.of(recipe.settings());
        ModelFiles files = settings.graph().files();
        ModelFiles own = settings.queryFiles();
        // PyTorch takes long to load.
        Path graph = architecture.torchscript().isEmpty()
                ? null
                : files.require(architecture.torchscript(), engine.home());
        architecture.weights().ifPresent(weights -> weights.requireAll(engine.home()));
        this.tokenizer = files.tokenizer(engine.home());
        this.manager = Torch.open(OnnxRuntime.on(engine.device(), engine::say).device());
        try {
            this.script = graph == null ? null : TorchScript.load(graph, manager);
            this.parameters = script == null
                    ? WeightFiles.read(files, architecture, table(), engine, this::array)
                    : overwritten(script.parameters(), files, engine);
            this.transformer = transformer(parameters);
            this.queries = own == null
                    ? transformer
                    : Bert.over(architecture, WeightFiles.ofGraph(own, table(), engine, this::array));
            LinearHead.HeadSettings layer = settings.graph().head();
            this.head = layer == null ? null : head(layer, files.tensors(layer.file(), engine.home()));
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /**
     * Loads a model.
     *
     * @throws UsageException if it is no dense encoder whose pooling is known
     * @throws io.posbias.PosbiasException if PyTorch is missing, or the weights are not those of the recipe's family
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

    /** Returns the weights as leaves with gradients; they share memory with the weights. */
    Map<String, NDArray> leaves(NDManager workspace) {
        Map<String, NDArray> leaves = new HashMap<>(parameters);
        if (script == null) {
            leaves.replaceAll((name, weight) -> Torch.leaf(weight, workspace));
        } else {
            leaves.values().forEach(weight -> weight.setRequiresGradient(true));
        }
        return leaves;
    }

    /** Returns true if each call of {@link #leaves} gives separate gradients; a TorchScript graph has one set. */
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

    /** What makes rows of the texts of a role. */
    public TextRows rows(Role role) {
        return settings.rows(tokenizer, role);
    }

    /** The tokens of a text as the model reads them, those that are cut off left out. */
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

    /** Its weights by name, as they are now. */
    Map<String, NDArray> parameters() {
        return parameters;
    }

    /** Returns the name of the token embeddings. */
    String table() {
        return script == null ? Bert.TABLE : script.tableName();
    }

    Pooling pooling() {
        return settings.pooling();
    }

    /** Whether scores are cosines: inner products of vectors of length 1. */
    public boolean isCosine() {
        return settings.graph().normalise();
    }

    /** The linear layer behind the pooling; null for none. */
    @Nullable
    Head head() {
        return head;
    }

    /** A manager of arrays that are gone when it is closed. */
    NDManager workspace() {
        return manager.newSubManager();
    }

    /** The forward pass of a role. */
    Transformer transformer(Role role) {
        return role == Role.QUERY ? queries : transformer;
    }

    /** A batch of rows. */
    Batch batch(List<TokenRow> rows, NDManager workspace) {
        return batch(rows, tokenizer.padId(), workspace);
    }

    /**
     * The same for rows of other identifiers than the tokenizer's.
     *
     * @param padId any of them
     */
    Batch batch(List<TokenRow> rows, int padId, NDManager workspace) {
        return Batch.of(rows, padId, settings, workspace);
    }

    /**
     * What the recipe makes of the last layer.
     *
     * @param hidden (rows, columns, width)
     * @return (rows, dimension)
     */
    NDArray vectors(NDArray hidden, Batch batch) {
        NDArray pooled = batch.pooled(hidden, settings.pooling());
        NDArray projected = head == null ? pooled : head.of(pooled);
        return settings.graph().normalise() ? normalised(projected) : projected;
    }

    /** Rows scaled to length 1. */
    static NDArray normalised(NDArray vectors) {
        return vectors.div(lengths(vectors));
    }

    /** The length of each row, (rows, 1), never 0. */
    static NDArray lengths(NDArray vectors) {
        NDArray length = vectors.mul(vectors).sum(new int[] {1}, true).sqrt();
        return length.maximum(Torch.number(Float.MIN_NORMAL, length));
    }

    /**
     * The vectors of a batch.
     *
     * @param with with the weights that are wanted: its own of a role, or copies that are trained
     */
    NDArray encode(Transformer with, Batch batch) {
        return vectors(with.hidden(with.embed(batch.ids()), batch.padding()), batch);
    }

    /**
     * The vector of a text.
     *
     * @return {@code dimension} numbers
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

package io.posbias.encode.model;

import ai.onnxruntime.TensorInfo;
import io.posbias.Fields;
import io.posbias.PosbiasException;
import io.posbias.encode.Device;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.onnx.LinearHead;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxModel;
import io.posbias.encode.onnx.OnnxRuntime;
import io.posbias.encode.onnx.RowWork;
import io.posbias.encode.onnx.Template;
import io.posbias.encode.onnx.TextRows;
import io.posbias.encode.onnx.TokenBatch;
import io.posbias.encode.onnx.TokenRow;
import io.posbias.encode.onnx.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One vector a text, by a transformer's graph, pooling and, where the recipe says so, a head and scaling to length 1. */
public final class DenseEncoder implements TextEncoder {
    /** The names of the recipe's fields that are read here. */
    public static final List<String> FIELDS = DenseSettings.FIELDS;

    private static final List<String> TOKEN_OUTPUTS = List.of("last_hidden_state", "token_embeddings");
    private static final List<String> TEXT_OUTPUTS = List.of("sentence_embedding", "embedding", "text_embeds");

    private final DenseSettings settings;
    private final OnnxRuntime runtime;
    private final RowWork work;
    private final Tokenizer tokenizer;
    private final Template template;
    private final OnnxModel passageModel;
    private final OnnxModel queryModel;
    private final @Nullable LinearHead head;
    private final String space;
    private final int dimension;

    private DenseEncoder(DenseSettings settings, Engine engine) {
        this.settings = settings;
        this.runtime = OnnxRuntime.on(engine.device(), engine::say);
        this.work = new RowWork(engine, runtime.device());
        this.tokenizer = settings.files().tokenizer(engine.home());
        this.template = settings.onnx().complete(tokenizer.single(), tokenizer);
        this.passageModel = settings.files().load(runtime, engine.home());
        this.queryModel = settings.queryFiles() == settings.files()
                ? passageModel
                : settings.queryFiles().load(runtime, engine.home());
        LinearHead.Settings headSettings = settings.head();
        this.head =
                headSettings == null ? null : LinearHead.load(headSettings, settings.files(), runtime, engine.home());
        this.space = runtime.space(settings.fingerprint(), passageModel, queryModel);
        this.dimension = measuredDimension();
    }

    /**
     * A check of a recipe's fields that loads nothing.
     *
     * @return the files that must be there
     */
    public static List<ModelFiles> check(String recipe, Fields fields) {
        DenseSettings settings = DenseSettings.of(recipe, fields);
        return settings.queryFiles() == settings.files()
                ? List.of(settings.files())
                : List.of(settings.files(), settings.queryFiles());
    }

    /** Loads the model that a recipe describes. */
    public static DenseEncoder open(String recipe, Fields fields, Engine engine) {
        return new DenseEncoder(DenseSettings.of(recipe, fields), engine);
    }

    private int measuredDimension() {
        int measured = DenseSettings.checkedDimension(settings.dimension(), width(Role.PASSAGE));
        if (queryModel != passageModel) {
            int other = width(Role.QUERY);
            if (other != measured) {
                throw new PosbiasException(
                        "the queries' encoder gives vectors of " + other + " numbers, the passages' of " + measured);
            }
        }
        return measured;
    }

    /** How many numbers the graph of a role gives for a text. */
    private int width(Role role) {
        List<TokenRow> text = List.of(rows(role).row("a"));
        return vectors(model(role), text, padding(false)).getFirst().length;
    }

    @Override
    public int dimension() {
        return dimension;
    }

    @Override
    public String space() {
        return space;
    }

    /** The device its graph runs on. */
    public Device device() {
        return runtime.device();
    }

    /** The graph of a role. */
    public OnnxModel model(Role role) {
        return role == Role.QUERY ? queryModel : passageModel;
    }

    /** What makes rows of the texts of a role. */
    public TextRows rows(Role role) {
        String prompt = role == Role.QUERY ? settings.queryPrompt() : settings.passagePrompt();
        return new TextRows(tokenizer, template, prompt, settings.onnx().maxTokens());
    }

    /** How shorter rows of a batch are filled, at a side of choice. */
    public TokenBatch.Padding padding(boolean left) {
        return new TokenBatch.Padding(tokenizer.padId(), left);
    }

    /** Whether the recipe pads on the left. */
    public boolean padsLeft() {
        return settings.onnx().padLeft();
    }

    @Override
    public Work prepare(List<String> texts, Role role) {
        TextRows maker = rows(role);
        List<TokenRow> rows = work.rows(texts.size(), i -> maker.row(texts.get(i)));
        List<List<Integer>> batches = work.batches(rows);
        return sink -> work.run(rows, batches, (batch, places) -> sink.accept(encode(model(role), batch, places)));
    }

    private List<Encoded> encode(OnnxModel model, List<TokenRow> batch, List<Integer> places) {
        List<float[]> vectors = vectors(model, batch, padding(settings.onnx().padLeft()));
        List<Encoded> encoded = new ArrayList<>(places.size());
        for (int i = 0; i < places.size(); i++) {
            encoded.add(
                    new Encoded(places.get(i), vectors.get(i), 1, batch.get(i).seen()));
        }
        return encoded;
    }

    /** The vectors of a batch, in its order. */
    public List<float[]> vectors(OnnxModel model, List<TokenRow> rows, TokenBatch.Padding padding) {
        TokenBatch batch = new TokenBatch(rows, padding, settings.poolMaskInput());
        String output = output(model);
        List<float[]> pooled = model.run(batch, output, result -> pool(batch, result));
        return pooled.stream().map(this::finish).toList();
    }

    /** The output that is read. */
    public String output(OnnxModel model) {
        return model.output(
                settings.onnx().output(), settings.pooling() == Pooling.NONE ? TEXT_OUTPUTS : TOKEN_OUTPUTS);
    }

    private List<float[]> pool(TokenBatch batch, OnnxModel.Output output) {
        boolean perToken = checkedPerToken(output);
        List<float[]> vectors = new ArrayList<>(batch.rows());
        for (int r = 0; r < batch.rows(); r++) {
            TokenRow row = batch.list().get(r);
            if (!perToken) {
                vectors.add(settings.pooling().pool(output.values(), r * output.width(), 0, 1, output.width()));
                continue;
            }
            int first = (r * output.columns() + batch.offset(r)) * output.width();
            vectors.add(settings.pooling().pool(output.values(), first, firstPooled(row), row.size(), output.width()));
        }
        return vectors;
    }

    /** The first token of a row that takes part in a mean. */
    private int firstPooled(TokenRow row) {
        return settings.poolPrompt() ? 0 : Math.min(row.prompt(), row.size() - 1);
    }

    private boolean checkedPerToken(OnnxModel.Output output) {
        boolean perToken = output.columns() > 1 || isPerToken();
        if (perToken != (settings.pooling() != Pooling.NONE)) {
            throw new PosbiasException(
                    perToken
                            ? "the graph gives a vector for every token, but the recipe says pooling: none"
                            : "the graph gives one vector for every text: the recipe must say pooling: none");
        }
        return perToken;
    }

    /** A row of one token looks like a row of one vector: the graph's own shape tells. */
    private boolean isPerToken() {
        TensorInfo info = passageModel.outputs().get(output(passageModel));
        return info != null && info.getShape().length > 2;
    }

    private float[] finish(float[] vector) {
        float[] done = head == null ? vector : head.apply(vector);
        for (float number : done) {
            if (!Float.isFinite(number)) {
                throw new PosbiasException("the model gave a vector with " + number + " in it");
            }
        }
        if (settings.normalise()) {
            Pooling.normalise(done, 0, done.length);
        }
        return done;
    }

    /** Why the vectors of a recipe's passages are no sums over their tokens; empty where they are. */
    public static Optional<String> notASum(String recipe, Fields fields) {
        DenseSettings settings = DenseSettings.of(recipe, fields);
        LinearHead.Settings headSettings = settings.head();
        if (settings.pooling() != Pooling.MEAN) {
            return Optional.of("has pooling: " + settings.pooling().word() + ", and only a mean is a sum over tokens");
        }
        return headSettings != null && headSettings.tanh()
                ? Optional.of("has a head that ends in tanh, behind which tokens no longer add up")
                : Optional.empty();
    }

    /** The vector of a query. */
    public float[] query(String text) {
        return vectors(queryModel, List.of(rows(Role.QUERY).row(text)), padding(padsLeft()))
                .getFirst();
    }

    /**
     * The vectors of a passage's tokens in the last layer, each over the number of tokens in the mean and, where the recipe
     * normalises, over the length of that mean: their sum is the passage's vector. A head takes each token's on its own,
     * which is the same for a linear layer, its bias included.
     *
     * @throws IllegalStateException if the passage's vector is {@linkplain #notASum no such sum}
     */
    public TokenVectors tokens(String passage) {
        if (settings.pooling() != Pooling.MEAN) {
            throw new IllegalStateException("pooling: " + settings.pooling().word());
        }
        TextRows maker = rows(Role.PASSAGE);
        TokenRow row = maker.row(passage);
        int[] pooled = IntStream.range(firstPooled(row), row.size()).toArray();
        TokenBatch batch = new TokenBatch(List.of(row), padding(padsLeft()), settings.poolMaskInput());
        float[] vectors = passageModel.run(batch, output(passageModel), result -> gathered(result, pooled));
        float[] done = head == null ? vectors : head.apply(vectors);
        scale(done, pooled.length);
        return TokenVectors.of(maker.places(passage), pooled, done);
    }

    private float[] gathered(OnnxModel.Output output, int[] tokens) {
        checkedPerToken(output);
        float[] vectors = new float[tokens.length * output.width()];
        for (int i = 0; i < tokens.length; i++) {
            output.values().get(tokens[i] * output.width(), vectors, i * output.width(), output.width());
        }
        return vectors;
    }

    /** Divides vectors by their number and, where the recipe normalises, by the length of their mean. */
    private void scale(float[] vectors, int number) {
        double[] mean = new double[dimension];
        for (int i = 0; i < vectors.length; i++) {
            if (!Float.isFinite(vectors[i])) {
                throw new PosbiasException("the model gave a vector with " + vectors[i] + " in it");
            }
            mean[i % dimension] += vectors[i] / (double) number;
        }
        double length =
                Math.sqrt(Arrays.stream(mean).map(value -> value * value).sum());
        double divisor = settings.normalise() && length > 0 ? number * length : number;
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = (float) (vectors[i] / divisor);
        }
    }

    @Override
    public void close() {
        passageModel.close();
        if (queryModel != passageModel) {
            queryModel.close();
        }
        if (head != null) {
            head.close();
        }
        tokenizer.close();
    }
}

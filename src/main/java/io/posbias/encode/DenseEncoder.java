package io.posbias.encode;

import ai.onnxruntime.TensorInfo;
import io.posbias.Fields;
import io.posbias.PosbiasException;
import java.util.ArrayList;
import java.util.List;
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
        this.runtime = OnnxRuntime.on(engine.device(), engine.say());
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
    OnnxModel model(Role role) {
        return role == Role.QUERY ? queryModel : passageModel;
    }

    /** What makes rows of the texts of a role. */
    TextRows rows(Role role) {
        String prompt = role == Role.QUERY ? settings.queryPrompt() : settings.passagePrompt();
        return new TextRows(tokenizer, template, prompt, settings.onnx().maxTokens());
    }

    /** How shorter rows of a batch are filled, at a side of choice. */
    TokenBatch.Padding padding(boolean left) {
        return new TokenBatch.Padding(tokenizer.padId(), left);
    }

    /** Whether the recipe pads on the left. */
    boolean padsLeft() {
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
    List<float[]> vectors(OnnxModel model, List<TokenRow> rows, TokenBatch.Padding padding) {
        TokenBatch batch = new TokenBatch(rows, padding, settings.poolMaskInput());
        String output = output(model);
        List<float[]> pooled = model.run(batch, output, result -> pool(batch, result));
        return pooled.stream().map(this::finish).toList();
    }

    /** The output that is read. */
    String output(OnnxModel model) {
        return model.output(
                settings.onnx().output(), settings.pooling() == Pooling.NONE ? TEXT_OUTPUTS : TOKEN_OUTPUTS);
    }

    private List<float[]> pool(TokenBatch batch, OnnxModel.Output output) {
        boolean perToken = output.columns() > 1 || isPerToken();
        if (perToken != (settings.pooling() != Pooling.NONE)) {
            throw new PosbiasException(
                    perToken
                            ? "the graph gives a vector for every token, but the recipe says pooling: none"
                            : "the graph gives one vector for every text: the recipe must say pooling: none");
        }
        List<float[]> vectors = new ArrayList<>(batch.rows());
        for (int r = 0; r < batch.rows(); r++) {
            TokenRow row = batch.list().get(r);
            if (!perToken) {
                vectors.add(settings.pooling().pool(output.values(), r * output.width(), 0, 1, output.width()));
                continue;
            }
            int first = (r * output.columns() + batch.offset(r)) * output.width();
            int from = settings.poolPrompt() ? 0 : Math.min(row.prompt(), row.size() - 1);
            vectors.add(settings.pooling().pool(output.values(), first, from, row.size(), output.width()));
        }
        return vectors;
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

package io.posbias.model.encode.model;

import io.posbias.base.process.Closing;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.onnx.BatchRunner;
import io.posbias.model.encode.onnx.LinearHead;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxModel;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenBatch;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Tokenizer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Vectors by a transformer's graph and, where the recipe says so, a linear layer and scaling to length 1. */
public abstract class GraphEncoder implements TextEncoder {
    final OnnxRuntime runtime;
    final Tokenizer tokenizer;
    final OnnxModel model;
    private final GraphSettings settings;
    private final BatchRunner work;
    private final List<LinearHead> heads = new ArrayList<>();

    protected GraphEncoder(GraphSettings settings, Engine engine) {
        this(settings, engine, settings.files());
    }

    /** @param graph is run in place of the settings' graph */
    GraphEncoder(GraphSettings settings, Engine engine, ModelFiles graph) {
        this.settings = settings;
        this.runtime = OnnxRuntime.on(engine.device(), engine.session());
        this.work = new BatchRunner(engine, runtime.device(), settings.files().precision());
        this.tokenizer = settings.files().tokenizer(engine.session());
        this.model = Closing.onFailure(() -> graph.load(runtime, engine.home()), tokenizer::close);
        for (LinearHead.HeadSettings layer : settings.head()) {
            heads.add(Closing.onFailure(
                    () -> LinearHead.load(layer, settings.files(), runtime, engine.home()),
                    () -> heads.forEach(LinearHead::close),
                    model::close,
                    tokenizer::close));
        }
    }

    /** Returns the row maker of a role; it adds no mask tokens after queries. */
    public abstract TextRows rows(Role role);

    /** The output that is read of a role's graph. */
    public abstract String output(Role role);

    /**
     * Runs the graph and the linear layer; returns the vectors of the rows, in order.
     *
     * @param left whether shorter rows are padded on the left
     * @return for each row its vector, or those of all its tokens one after another
     */
    public abstract List<float[]> vectors(List<TokenRow> rows, Role role, boolean left);

    /** The vectors that count of some rows, each row's one after another. */
    protected abstract List<float[]> scoringVectors(List<TokenRow> rows, Role role);

    /** Returns the numbers of each of the {@link #vectors}. */
    public int width() {
        return dimension();
    }

    protected final Tokenizer tokenizer() {
        return tokenizer;
    }

    /** Returns the {@link #space} of vectors by one graph, of settings with this fingerprint. */
    protected final String space(String fingerprint) {
        return runtime.space(fingerprint, model);
    }

    /** Returns the graph's input for a text. */
    public TokenRow row(String text, Role role) {
        return rows(role).row(text);
    }

    public OnnxModel model(Role role) {
        return model;
    }

    public Device device() {
        return runtime.device();
    }

    /** Returns true if each text runs alone, not in a batch. */
    public boolean runsAlone() {
        return work.precision().runsAlone();
    }

    /** Returns true if the recipe pads on the left. */
    public boolean padsLeft() {
        return settings.onnx().padLeft();
    }

    @Override
    public CallEstimate estimate(List<String> texts, Role role) {
        return CallEstimate.local(texts, rows(role).maxTokens());
    }

    @Override
    public EncodingWork prepare(List<String> texts, Role role) {
        List<TokenRow> rows = work.rows(texts.size(), i -> row(texts.get(i), role));
        // Texts that differ behind the model's limit are one text to it.
        Map<TokenRow.Input, List<Integer>> equal = new LinkedHashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            equal.computeIfAbsent(rows.get(i).input(), first -> new ArrayList<>())
                    .add(i);
        }
        List<List<Integer>> groups = List.copyOf(equal.values());
        List<TokenRow> distinct =
                groups.stream().map(group -> rows.get(group.getFirst())).toList();
        EncodingWork encoding = work(distinct, (batch, places) -> scoringVectors(batch, role));
        return sink -> encoding.run(batch -> sink.accept(batch.stream()
                .flatMap(one -> groups.get(one.text()).stream()
                        .map(text -> one.of(text, rows.get(text).seen())))
                .toList()));
    }

    /**
     * Prepares texts.
     *
     * @param counted gives the vectors that count of some rows and the places of their texts, each row's one after another
     */
    EncodingWork prepare(
            List<String> texts, Role role, BiFunction<List<TokenRow>, List<Integer>, List<float[]>> counted) {
        return work(work.rows(texts.size(), i -> row(texts.get(i), role)), counted);
    }

    private EncodingWork work(List<TokenRow> rows, BiFunction<List<TokenRow>, List<Integer>, List<float[]>> counted) {
        List<List<Integer>> batches = work.batches(rows);
        return sink -> work.run(rows, batches, (batch, places) -> {
            List<float[]> vectors = counted.apply(batch, places);
            List<Encoded> encoded = new ArrayList<>(places.size());
            for (int i = 0; i < places.size(); i++) {
                float[] values = vectors.get(i);
                int seen = batch.get(i).seen();
                encoded.add(new Encoded(places.get(i), values, values.length / dimension(), seen));
            }
            sink.accept(encoded);
        });
    }

    /** The vectors of a query, one after another. */
    public float[] query(String text) {
        return scoringVectors(List.of(row(text, Role.QUERY)), Role.QUERY).getFirst();
    }

    /**
     * The size of vectors.
     *
     * @param given what the model gives for a first text
     * @throws PosbiasException if the recipe says another
     */
    int checkedDimension(int given) {
        int said = settings.dimension();
        if (said > 0 && said != given) {
            throw new PosbiasException(
                    settings.files().name() + ": the recipe says dimension " + said + ", the model gives " + given);
        }
        return given;
    }

    /** Returns the padding of shorter rows. */
    protected final TokenBatch.Padding padding(boolean left) {
        return new TokenBatch.Padding(tokenizer.padId(), left);
    }

    /** The graph's vectors behind the linear layers, where there are any, and surely numbers. */
    protected final float[] projected(float[] vectors) {
        float[] done = vectors;
        for (LinearHead head : vectors.length == 0 ? List.<LinearHead>of() : heads) {
            done = head.apply(done);
        }
        for (float number : done) {
            if (!Float.isFinite(number)) {
                throw new PosbiasException("the model gave a vector with " + number + " in it");
            }
        }
        return done;
    }

    /** Applies the heads and normalisation of the recipe to vectors of the graph. */
    float[] finished(float[] vectors, int width) {
        float[] done = projected(vectors);
        int size = heads.isEmpty() ? width : heads.getLast().dimension();
        for (int from = 0; settings.normalise() && from < done.length; from += size) {
            Pooling.normalise(done, from, size);
        }
        return done;
    }

    @Override
    public void close() {
        model.close();
        heads.forEach(LinearHead::close);
        tokenizer.close();
    }
}

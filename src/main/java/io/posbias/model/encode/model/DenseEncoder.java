package io.posbias.model.encode.model;

import ai.onnxruntime.TensorInfo;
import io.posbias.base.process.Closing;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxModel;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenBatch;
import io.posbias.model.encode.onnx.TokenPlaces;
import io.posbias.model.encode.onnx.TokenRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** One vector a text, by a transformer's graph, pooling and, where the recipe says so, a head and scaling to length 1. */
public final class DenseEncoder extends GraphEncoder {
    static final List<String> TOKEN_OUTPUTS = List.of("last_hidden_state", "token_embeddings");
    static final List<String> TEXT_OUTPUTS = List.of("sentence_embedding", "embedding", "text_embeds");

    /** What scripts/export_calibrated.py writes into a graph: its pooling, and how its attention is calibrated. */
    private static final String CALIBRATION = "posbias.attention-calibration";

    private final DenseSettings settings;
    private final Map<Role, TextRows> rows = new EnumMap<>(Role.class);
    private final OnnxModel queryModel;
    private final int dimension;

    /** Loads the model. */
    public DenseEncoder(DenseSettings settings, Engine engine) {
        this(settings, engine, settings.files());
    }

    /** @param graphs of passages, and of queries where these have their own */
    private DenseEncoder(DenseSettings settings, Engine engine, List<ModelFiles> graphs) {
        super(settings.graph(), engine, graphs.getFirst());
        this.settings = settings;
        for (Role role : Role.values()) {
            rows.put(role, Closing.onFailure(() -> settings.rows(tokenizer, role), super::close));
        }
        this.queryModel = graphs.size() == 1
                ? model
                : Closing.onFailure(() -> graphs.getLast().load(runtime, engine.home()), super::close);
        this.dimension = Closing.onFailure(this::measuredDimension, this::close);
    }

    /**
     * Loads the model's graphs with calibrated attention.
     *
     * @throws PosbiasException if the attention of one is not calibrated, or for another pooling
     */
    public static DenseEncoder calibrated(DenseSettings settings, Engine engine) {
        DenseEncoder encoder = new DenseEncoder(settings, engine, settings.calibratedFiles());
        String pooling = Suggestions.word(settings.pooling().getFirst());
        return Closing.onFailure(
                () -> {
                    for (OnnxModel graph : List.of(encoder.model, encoder.queryModel)) {
                        graph.requireMetadata(CALIBRATION, "pooling", pooling);
                    }
                    return encoder;
                },
                encoder::close);
    }

    private int measuredDimension() {
        int measured = checkedDimension(width(Role.PASSAGE));
        int other = queryModel != model ? width(Role.QUERY) : measured;
        if (other != measured) {
            throw new PosbiasException(
                    "the queries' encoder gives vectors of " + other + " numbers, the passages' of " + measured);
        }
        return measured;
    }

    /** Dimension of the graph's vector for a text of a role. */
    private int width(Role role) {
        return vectors(List.of(row("a", role)), role, false).getFirst().length;
    }

    @Override
    public int dimension() {
        return dimension;
    }

    @Override
    public String space() {
        return runtime.space(settings.fingerprint(), model, queryModel);
    }

    @Override
    public OnnxModel model(Role role) {
        return role == Role.QUERY ? queryModel : model;
    }

    @Override
    public TextRows rows(Role role) {
        return Objects.requireNonNull(rows.get(role));
    }

    @Override
    protected List<float[]> scoringVectors(List<TokenRow> texts, Role role) {
        return vectors(texts, role, padsLeft());
    }

    @Override
    public List<float[]> vectors(List<TokenRow> texts, Role role, boolean left) {
        if (haveNoTokens(texts)) {
            return texts.stream().map(text -> new float[dimension]).toList();
        }
        TokenBatch batch = batch(texts, role, left);
        return model(role).run(batch, output(role), result -> pool(batch, result)).stream()
                .map(vector -> finished(vector, vector.length))
                .toList();
    }

    /** Returns true for empty texts of a tokenizer that adds no special tokens: no graph runs on them, and their vector is 0. */
    private static boolean haveNoTokens(List<TokenRow> texts) {
        return texts.stream().allMatch(text -> text.size() == 0);
    }

    @Override
    public String output(Role role) {
        return model(role)
                .output(settings.graph().onnx().output(), settings.pools(Pooling.NONE) ? TEXT_OUTPUTS : TOKEN_OUTPUTS);
    }

    /**
     * A part of a text, in UTF-16 units.
     *
     * @param start of its first one
     * @param end behind its last one
     */
    public record TokenRange(int start, int end) {}

    /**
     * Prepares texts for late chunking: each is encoded whole, and the mean is taken over the tokens of each of its parts
     * (Günther et al. 2024, arXiv:2409.04701). A token is of the parts that it begins in; special tokens and the prompt are of
     * the parts at that end of the text, so that the whole text as its part has the vector that {@link #prepare} gives.
     *
     * @param parts of each text, at least one
     * @return gives for each text the vectors of its parts, one after another
     */
    public EncodingWork prepareParts(List<String> texts, List<List<TokenRange>> parts) {
        return prepare(texts, Role.PASSAGE, (rows, places) -> {
            if (haveNoTokens(rows)) {
                return places.stream()
                        .map(place -> new float[parts.get(place).size() * dimension])
                        .toList();
            }
            TokenBatch batch = batch(rows, Role.PASSAGE, padsLeft());
            List<String> own = places.stream().map(texts::get).toList();
            List<List<TokenRange>> ownParts = places.stream().map(parts::get).toList();
            return model(Role.PASSAGE)
                    .run(batch, output(Role.PASSAGE), result -> partVectors(batch, result, own, ownParts));
        });
    }

    private List<float[]> partVectors(
            TokenBatch batch, OnnxModel.OnnxOutput output, List<String> texts, List<List<TokenRange>> parts) {
        checkedPerToken(output);
        TextRows maker = rows(Role.PASSAGE);
        List<float[]> vectors = new ArrayList<>();
        for (int r = 0; r < batch.rows(); r++) {
            int first = (r * output.columns() + batch.offset(r)) * output.width();
            int[] borders = borders(
                    batch.list().get(r),
                    maker.places(texts.get(r)),
                    texts.get(r).length(),
                    parts.get(r));
            float[] own = new float[parts.get(r).size() * dimension];
            for (int part = 0; part < parts.get(r).size(); part++) {
                float[] mean = Pooling.MEAN.pool(
                        output.values(), first, borders[2 * part], borders[2 * part + 1], output.width());
                System.arraycopy(finished(mean, mean.length), 0, own, part * dimension, dimension);
            }
            vectors.add(own);
        }
        return vectors;
    }

    /** The first token of each part and the token behind its last; of a part past the limit the last token there is. */
    private int[] borders(TokenRow row, TokenPlaces places, int length, List<TokenRange> parts) {
        int[] borders = new int[2 * parts.size()];
        for (int i = 0; i < parts.size(); i++) {
            TokenRange part = parts.get(i);
            int from = part.start() == 0 ? settings.firstPooled(row) : places.firstFrom(part.start());
            int to = part.end() >= length ? row.size() : places.firstFrom(part.end());
            borders[2 * i] = Math.min(from, row.size() - 1);
            borders[2 * i + 1] = Math.max(to, borders[2 * i] + 1);
        }
        return borders;
    }

    private TokenBatch batch(List<TokenRow> texts, Role role, boolean left) {
        DenseSettings.RoleInput input = settings.roleInput();
        return new TokenBatch(
                texts, padding(left), settings.poolMaskInput(), input == null ? Map.of() : input.of(role));
    }

    private List<float[]> pool(TokenBatch batch, OnnxModel.OnnxOutput output) {
        boolean perToken = checkedPerToken(output);
        List<float[]> vectors = new ArrayList<>(batch.rows());
        for (int r = 0; r < batch.rows(); r++) {
            TokenRow row = batch.list().get(r);
            int first = perToken ? (r * output.columns() + batch.offset(r)) * output.width() : r * output.width();
            int from = perToken ? settings.firstPooled(row) : 0;
            int to = perToken ? row.size() : 1;
            float[] vector = new float[settings.pooling().size() * output.width()];
            for (int way = 0; way < settings.pooling().size(); way++) {
                float[] one = settings.pooling().get(way).pool(output.values(), first, from, to, output.width());
                System.arraycopy(one, 0, vector, way * one.length, one.length);
            }
            vectors.add(vector);
        }
        return vectors;
    }

    private boolean checkedPerToken(OnnxModel.OnnxOutput output) {
        boolean perToken = output.columns() > 1 || isPerToken();
        if (perToken == settings.pools(Pooling.NONE)) {
            throw new PosbiasException(
                    perToken
                            ? "the graph gives a vector for every token, but the recipe says pooling: none"
                            : "the graph gives one vector for every text: the recipe must say pooling: none");
        }
        return perToken;
    }

    /** Returns true for a vector per token, by the shape of the output: one token looks like one vector. */
    private boolean isPerToken() {
        TensorInfo info = model.outputs().get(output(Role.PASSAGE));
        return info != null && info.getShape().length > 2;
    }

    /**
     * The vectors of a passage's tokens in the last layer, each over the number of tokens in the mean and, where the recipe
     * normalises, over the length of that mean: their sum is the passage's vector. A head takes each token's on its own,
     * which is the same for a linear layer, its bias included.
     *
     * @throws IllegalStateException if the passage's vector is {@linkplain DenseSettings#notASum not a sum}
     */
    public TokenVectors tokens(String passage) {
        if (!settings.pools(Pooling.MEAN)) {
            throw new IllegalStateException("pooling: " + settings.pooling());
        }
        TextRows maker = rows(Role.PASSAGE);
        TokenRow row = maker.row(passage);
        int[] pooled = IntStream.range(settings.firstPooled(row), row.size()).toArray();
        TokenBatch batch = batch(List.of(row), Role.PASSAGE, padsLeft());
        float[] done = projected(model.run(batch, output(Role.PASSAGE), result -> gathered(result, pooled)));
        scale(done, pooled.length);
        return TokenVectors.of(maker.places(passage), pooled, done);
    }

    private float[] gathered(OnnxModel.OnnxOutput output, int[] tokens) {
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
            mean[i % dimension] += vectors[i] / (double) number;
        }
        double length =
                Math.sqrt(Arrays.stream(mean).map(value -> value * value).sum());
        double divisor = settings.graph().normalise() && length > 0 ? number * length : number;
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = (float) (vectors[i] / divisor);
        }
    }

    @Override
    public void close() {
        super.close();
        if (queryModel != model) {
            queryModel.close();
        }
    }
}

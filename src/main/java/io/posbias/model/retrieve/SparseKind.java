package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.model.GraphEncoder;
import io.posbias.model.encode.model.GraphSettings;
import io.posbias.model.encode.model.TokenVectors;
import io.posbias.model.encode.onnx.FileSettings;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxModel;
import io.posbias.model.encode.onnx.OnnxSettings;
import io.posbias.model.encode.onnx.RowReader;
import io.posbias.model.encode.onnx.Template;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenBatch;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Tokenizer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Learned sparse vectors, one weight per token of the vocabulary, from the logits of a masked language model (SPLADE,
 * arXiv:2107.05720; v2, arXiv:2109.10086). A score is the inner product, summed as doubles in the order of token ids.
 */
public final class SparseKind implements RetrieverProvider {
    private static final int PAIR = TextEncoder.PAIR;

    @Override
    public String kind() {
        return "sparse";
    }

    @Override
    public List<String> options() {
        return List.of("precision");
    }

    @Override
    public Recipe bind(Fields recipe, RecipeReader recipes) {
        return Json.settings(recipe, SparseRecipe.class);
    }

    private record SparseRecipe(
            @JsonUnwrapped RecipeCard card, @JsonUnwrapped SparseSettings model) implements Recipe {
        @Override
        public int maxTokens() {
            return model.onnx.maxTokens();
        }

        @Override
        public Retriever retriever() {
            Attribution.Exact exact = engine -> {
                Encoder encoder = new Encoder(model, engine);
                return new Attributor(encoder::tokens, encoder::query, SparseKind::split, encoder::close);
            };
            Model.Encoder encoder = new Model.Encoder(
                    List.of(model.files()), false, engine -> new Encoder(model, engine), null, model::reader, exact, 0);
            return new VectorRetriever(this, encoder, InvertedIndex.Sparse.PAIRS, null);
        }
    }

    /**
     * Fields that weights depend on, named as sentence-transformers names them.
     *
     * @param pooling over the tokens of a text, special ones included
     * @param activation of a logit x: log(1 + max(0, x)), or log(1 + log(1 + max(0, x)))
     * @param queryWeights file of one weight per token, for queries without a graph; empty for the graph. A safetensors
     *     file has the tensor {@code weight}, a JSON file a record of tokens
     */
    record SparseSettings(
            @JsonUnwrapped FileSettings named,
            @JsonUnwrapped OnnxSettings onnx,
            @Setting(words = {"max", "sum"}) String pooling,
            @Setting(words = {"relu", "log1p_relu"}) String activation,
            @Setting(usual = "''") String queryWeights,
            @Setting(usual = "''") String queryPrompt,
            @Setting(usual = "''") String documentPrompt) {
        SparseSettings {
            if (!queryWeights.isEmpty()) {
                ModelFiles.refuseUnsafe("query-weights", queryWeights);
            }
        }

        ModelFiles files() {
            return queryWeights.isEmpty() ? named.files() : named.files().and(queryWeights);
        }

        /** Weights stay as the graph gives them. */
        GraphSettings graph() {
            return new GraphSettings(named, onnx, List.of(), false, 0);
        }

        /** Queries without a graph have no special tokens. */
        TextRows rows(Tokenizer tokenizer, Role role) {
            boolean isQuery = role == Role.QUERY;
            return new TextRows(
                    tokenizer,
                    isQuery && !queryWeights.isEmpty() ? Template.NONE : onnx.complete(tokenizer.single(), tokenizer),
                    isQuery ? queryPrompt : documentPrompt,
                    onnx.maxTokens());
        }

        TextReader reader(Engine engine) {
            Tokenizer tokenizer = files().tokenizer(engine.session());
            return new RowReader(rows(tokenizer, Role.QUERY), rows(tokenizer, Role.PASSAGE));
        }

        boolean isMax() {
            return pooling.equals("max");
        }

        float activated(float logit) {
            double once = Math.log1p(Math.max(0, logit));
            return (float) (activation.equals("relu") ? once : Math.log1p(once));
        }
    }

    private static final class Encoder extends GraphEncoder {
        /** Logits of one call of the graph, except for a single text: 512 MB. */
        private static final int MOST_LOGITS = 1 << 27;

        private final SparseSettings settings;
        private final TextRows queries;
        private final TextRows passages;
        private final String output;
        private final float @Nullable [] table;
        private final Path home;
        private final int width;

        Encoder(SparseSettings settings, Engine engine) {
            super(settings.graph(), engine);
            this.settings = settings;
            try {
                this.queries = settings.rows(tokenizer(), Role.QUERY);
                this.passages = settings.rows(tokenizer(), Role.PASSAGE);
                this.output = model(Role.PASSAGE).output(settings.onnx.output(), List.of("logits"));
                this.home = engine.home();
                this.width = vectors(List.of(passages.row("a")), Role.PASSAGE, padsLeft())
                        .getFirst()
                        .length;
                this.table = settings.queryWeights.isEmpty() ? null : table();
            } catch (RuntimeException | Error failure) {
                close();
                throw failure;
            }
        }

        private float[] table() {
            String file = settings.queryWeights;
            if (!file.endsWith(".json")) {
                return settings.files().tensors(file, home).tensor("weight").values();
            }
            Fields weights = Json.parse(Path.of(file), settings.files().read(file, home));
            float[] own = new float[width];
            for (String token : weights.names()) {
                int id = tokenizer().id(token);
                own = id < own.length ? own : Arrays.copyOf(own, id + 1);
                own[id] = (float) weights.number(token);
            }
            return own;
        }

        @Override
        public int dimension() {
            return PAIR;
        }

        @Override
        public int width() {
            return width;
        }

        @Override
        public String space() {
            String fingerprint = Json.fingerprint(settings.named.written(), SparseSettings.class);
            String file = settings.queryWeights;
            return space(
                    file.isEmpty()
                            ? fingerprint
                            : fingerprint + settings.files().digest(file, home));
        }

        @Override
        public TextRows rows(Role role) {
            return role == Role.QUERY ? queries : passages;
        }

        @Override
        public String output(Role role) {
            return output;
        }

        @Override
        protected List<float[]> scoringVectors(List<TokenRow> rows, Role role) {
            return vectors(rows, role, padsLeft()).stream().map(Encoder::pairs).toList();
        }

        private static float[] pairs(float[] weights) {
            int[] ids = IntStream.range(0, weights.length)
                    .filter(id -> weights[id] != 0)
                    .toArray();
            float[] pairs = new float[PAIR * Math.max(1, ids.length)];
            for (int i = 0; i < ids.length; i++) {
                pairs[PAIR * i] = ids[i];
                pairs[PAIR * i + 1] = weights[ids[i]];
            }
            return pairs;
        }

        /** The weights of all tokens of the vocabulary. */
        @Override
        public List<float[]> vectors(List<TokenRow> rows, Role role, boolean left) {
            float[] weights = table;
            if (role == Role.QUERY && weights != null) {
                return rows.stream().map(row -> present(row, weights)).toList();
            }
            int longest = rows.stream().mapToInt(TokenRow::size).max().orElse(0);
            int most = (int) Math.max(1, MOST_LOGITS / Math.max(1, (long) longest * width));
            List<float[]> all = new ArrayList<>(rows.size());
            for (int from = 0; from < rows.size(); from += most) {
                TokenBatch batch =
                        new TokenBatch(rows.subList(from, Math.min(rows.size(), from + most)), padding(left));
                all.addAll(model(role)
                        .run(
                                batch,
                                output,
                                result -> IntStream.range(0, batch.rows())
                                        .mapToObj(row -> projected(pooled(result, batch, row)))
                                        .toList()));
            }
            return all;
        }

        /** Each of a query's tokens counts once. */
        private static float[] present(TokenRow row, float[] weights) {
            float[] present = new float[weights.length];
            for (int id : row.ids()) {
                if (id >= weights.length) {
                    throw new PosbiasException("the tokenizer gives the token " + id + ", and query-weights has "
                            + weights.length + " weights: are they of one model?");
                }
                present[id] = weights[id];
            }
            return present;
        }

        private float[] pooled(OnnxModel.OnnxOutput result, TokenBatch batch, int row) {
            float[] greatest = new float[result.width()];
            double[] sums = new double[settings.isMax() ? 0 : greatest.length];
            read(result, batch, row, (logits, token) -> {
                for (int id = 0; id < greatest.length; id++) {
                    if (settings.isMax()) {
                        greatest[id] = Math.max(greatest[id], logits[id]);
                    } else if (!(logits[id] <= 0)) {
                        sums[id] += settings.activated(logits[id]);
                    }
                }
            });
            for (int id = 0; id < greatest.length; id++) {
                greatest[id] = settings.isMax() ? settings.activated(greatest[id]) : (float) sums[id];
            }
            return greatest;
        }

        /** Hands over the logits of each of a row's tokens, in an array that is used again. */
        private static void read(
                OnnxModel.OnnxOutput result, TokenBatch batch, int row, ObjIntConsumer<float[]> tokens) {
            if (result.columns() != batch.columns()) {
                throw new PosbiasException("the graph gives " + result.columns() + " vectors for " + batch.columns()
                        + " tokens: kind sparse needs the logits of each, as of a masked language model");
            }
            float[] logits = new float[result.width()];
            int first = row * result.columns() + batch.offset(row);
            for (int token = 0; token < batch.list().get(row).size(); token++) {
                result.values().get((first + token) * logits.length, logits);
                tokens.accept(logits, token);
            }
        }

        /** A passage's pairs, each with the place of its token: by a maximum, of the first that reaches it. */
        TokenVectors tokens(String passage) {
            TokenBatch batch = new TokenBatch(List.of(passages.row(passage)), padding(padsLeft()));
            Map<Long, float[]> parts = new TreeMap<>();
            model(Role.PASSAGE).run(batch, output, result -> {
                read(result, batch, 0, (logits, token) -> {
                    for (int id = 0; id < width; id++) {
                        if (logits[id] > 0) {
                            parts.merge(
                                    settings.isMax() ? id : (long) token * width + id,
                                    new float[] {id, settings.activated(logits[id]), token},
                                    (one, other) -> other[1] > one[1] ? other : one);
                        }
                    }
                });
                return parts;
            });
            FloatBuffer pairs = FloatBuffer.allocate(PAIR * parts.size());
            parts.values().forEach(part -> pairs.put(part, 0, PAIR));
            int[] places =
                    parts.values().stream().mapToInt(part -> (int) part[PAIR]).toArray();
            return TokenVectors.of(passages.places(passage), places, pairs.array());
        }
    }

    /** Each of a passage's pairs contributes its product with the query's weight of the same token. */
    private static void split(float[] query, TokenVectors passage, double[] values) {
        Map<Float, Float> asked = new HashMap<>();
        for (int i = 0; i < query.length; i += PAIR) {
            asked.put(query[i], query[i + 1]);
        }
        for (int i = 0; i < values.length; i++) {
            double weight = asked.getOrDefault(passage.vectors()[PAIR * i], 0f);
            values[i] = weight * passage.vectors()[PAIR * i + 1];
        }
    }
}

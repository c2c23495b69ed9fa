package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.files.Checksums;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.model.Pooling;
import io.posbias.model.encode.model.TokenVectors;
import io.posbias.model.encode.onnx.FileSettings;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.ModelSource;
import io.posbias.model.encode.onnx.Precision;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.Template;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.encode.onnx.Weight;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Static vectors: a text's vector is the mean of its tokens' vectors in a table (model2vec; StaticEmbedding). */
public final class StaticKind implements RetrieverProvider {
    @Override
    public String kind() {
        return "static";
    }

    @Override
    public Recipe bind(Fields recipe, RecipeReader recipes) {
        return Json.settings(recipe, StaticRecipe.class);
    }

    private record StaticRecipe(
            @JsonUnwrapped RecipeCard card,
            @JsonUnwrapped StaticSettings model,
            @JsonUnwrapped VectorSettings search) implements Recipe {
        @Override
        public int maxTokens() {
            return model.maxTokens;
        }

        @Override
        public int dimension() {
            return model.dimension;
        }

        @Override
        public Retriever retriever() {
            Attribution.Exact exact = engine -> {
                Encoder encoder = new Encoder(model, engine);
                return new Attributor(encoder::tokens, encoder::query, Attributor::byProduct, encoder::close);
            };
            return VectorRetriever.dense(
                            this,
                            List.of(model.files()),
                            engine -> new Encoder(model, engine),
                            engine -> new Texts(model, engine),
                            exact)
                    .with(search);
        }
    }

    /**
     * Fields that vectors depend on.
     *
     * @param table a safetensors file: {@code embedding.weight}, or {@code embeddings} with model2vec's {@code weights}
     *     and {@code mapping}
     * @param library whose {@code encode} is followed: model2vec leaves out unknown tokens, and of a text reads at most
     *     {@code max-tokens} times the median length of a token in characters
     * @param maxTokens maximum tokens of a text; 0 for all, or with sentence-transformers for those of tokenizer.json
     * @param dimension required dimension; 0 if the recipe has none
     */
    record StaticSettings(
            ModelSource source,
            @Setting(usual = "model.safetensors") String table,
            @Setting(usual = "tokenizer.json") String tokenizer,

            @Setting(words = {"sentence-transformers", "model2vec"})
            String library,

            @Setting(usual = "0", least = 0) int maxTokens,
            @Setting(usual = "''") String queryPrompt,
            @Setting(usual = "''") String documentPrompt,
            @Setting(usual = "true") boolean normalise,
            @Setting(usual = "0") int dimension,
            Fields written) {
        StaticSettings {
            ModelFiles.refuseUnsafe("table", table);
        }

        ModelFiles files() {
            Map<Precision, String> files = Map.of(Precision.FLOAT32, table);
            return new FileSettings(source, files, Precision.FLOAT32, null, tokenizer, written).files();
        }

        boolean isModel2Vec() {
            return library.equals("model2vec");
        }

        String prompt(Role role) {
            return role == Role.QUERY ? queryPrompt : documentPrompt;
        }
    }

    /** Tokens of texts as the library reads them, without special ones. */
    private static final class Texts implements TextReader {
        private final StaticSettings settings;
        private final Tokenizer tokenizer;
        private final int maxTokens;
        private final int maxCharacters;

        Texts(StaticSettings settings, Engine engine) {
            this.settings = settings;
            this.tokenizer = settings.files().tokenizer(engine.session());
            int limit = settings.maxTokens == 0 && !settings.isModel2Vec()
                    ? tokenizer.truncation().orElse(0)
                    : settings.maxTokens;
            this.maxTokens = limit == 0 ? Integer.MAX_VALUE : limit;
            this.maxCharacters =
                    limit == 0 || !settings.isModel2Vec() ? Integer.MAX_VALUE : limit * tokenizer.medianLength();
        }

        TextRows rows(Role role) {
            return new TextRows(tokenizer, Template.NONE, settings.prompt(role), maxTokens);
        }

        TokenRow row(String text, Role role) {
            String prompt = settings.prompt(role);
            int room = Math.max(0, maxCharacters - prompt.codePointCount(0, prompt.length()));
            if (text.codePointCount(0, text.length()) <= room) {
                return rows(role).row(text);
            }
            String cut = text.substring(0, text.offsetByCodePoints(0, room));
            TokenRow row = rows(role).row(cut);
            int seen = row.seen() == TokenRow.WHOLE ? cut.length() : row.seen();
            return new TokenRow(row.ids(), row.types(), 0, row.prompt(), seen);
        }

        @Override
        public int seen(String text, Role role) {
            return row(text, role).seen();
        }

        @Override
        public void close() {
            tokenizer.close();
        }
    }

    /** The table in memory. Sums are of doubles, so that a vector does not depend on the order of tokens. */
    private static final class Encoder implements TextEncoder {
        private static final int CHUNK = 64;

        private final StaticSettings settings;
        private final Engine engine;
        private final Texts texts;
        private final Weight table;
        private final float @Nullable [] weights;
        private final float @Nullable [] mapping;
        private final int unknown;

        Encoder(StaticSettings settings, Engine engine) {
            this.settings = settings;
            this.engine = engine;
            Safetensors tensors = settings.files().tensors(settings.table, engine.home());
            boolean isPlain = tensors.has("embedding.weight");
            this.table = tensors.tensor(isPlain ? "embedding.weight" : "embeddings");
            this.weights = tensors.has("weights") ? tensors.tensor("weights").values() : null;
            this.mapping = tensors.has("mapping") ? tensors.tensor("mapping").values() : null;
            if (table.shape().size() != 2) {
                throw new PosbiasException(settings.table + " has vectors of shape " + table.shape() + ", no matrix");
            }
            if (settings.dimension > 0 && settings.dimension != dimension()) {
                throw new PosbiasException(settings.files().name() + ": the recipe says dimension " + settings.dimension
                        + ", " + settings.table + " has " + dimension());
            }
            this.texts = new Texts(settings, engine);
            this.unknown = settings.isModel2Vec() ? texts.tokenizer.unknownId().orElse(-1) : -1;
        }

        @Override
        public int dimension() {
            return table.shape().get(1);
        }

        @Override
        public String space() {
            ModelFiles files = settings.files();
            return Checksums.sha256(Stream.concat(
                    Stream.of(Json.fingerprint(settings.written, StaticSettings.class)),
                    files.all().stream().map(file -> files.digest(file, engine.home()))));
        }

        @Override
        public EncodingWork prepare(List<String> all, Role role) {
            TokenRow[] rows = new TokenRow[all.size()];
            Parallel.forChunks(engine.threads(), rows.length, CHUNK, () -> (from, to) -> {
                for (int i = from; i < to; i++) {
                    rows[i] = texts.row(all.get(i), role);
                }
            });
            return sink -> Parallel.forChunks(engine.threads(), rows.length, CHUNK, () -> (from, to) -> {
                List<Encoded> batch = new ArrayList<>();
                for (int i = from; i < to; i++) {
                    batch.add(new Encoded(i, vector(rows[i]), 1, rows[i].seen()));
                }
                sink.accept(batch);
            });
        }

        /** Zeros for a text without tokens. */
        private float[] vector(TokenRow row) {
            float[] vector = mean(row, counted(row));
            if (settings.normalise) {
                Pooling.normalise(vector, 0, vector.length);
            }
            return vector;
        }

        /** The places of the tokens that count. */
        private int[] counted(TokenRow row) {
            return IntStream.range(0, row.size())
                    .filter(place -> row.ids()[place] != unknown)
                    .toArray();
        }

        private float[] mean(TokenRow row, int[] places) {
            double[] sums = new double[dimension()];
            for (int place : places) {
                add(row.ids()[place], sums);
            }
            float[] mean = new float[sums.length];
            for (int i = 0; i < mean.length; i++) {
                mean[i] = (float) (sums[i] / Math.max(1, places.length));
            }
            return mean;
        }

        private void add(int id, double[] sums) {
            float own = at(mapping, id, id);
            double weight = at(weights, id, 1);
            if (own < 0 || own >= table.shape().get(0)) {
                throw new PosbiasException("the tokenizer gives the token " + id + ", and " + settings.table
                        + " has vectors of " + table.shape().get(0) + ": are they of one model?");
            }
            int from = sums.length * (int) own;
            for (int i = 0; i < sums.length; i++) {
                sums[i] += weight * table.values()[from + i];
            }
        }

        /** A token's number in a list; {@code usual} without a list. */
        private static float at(float @Nullable [] numbers, int id, float usual) {
            return numbers == null ? usual : id < numbers.length ? numbers[id] : -1;
        }

        float[] query(String text) {
            return vector(texts.row(text, Role.QUERY));
        }

        /** The vectors of a passage's tokens, whose sum is the passage's vector. */
        TokenVectors tokens(String passage) {
            TokenRow row = texts.row(passage, Role.PASSAGE);
            int[] places = counted(row);
            float[] mean = mean(row, places);
            double squares = IntStream.range(0, mean.length)
                    .mapToDouble(i -> (double) mean[i] * mean[i])
                    .sum();
            double divisor = places.length * (settings.normalise && squares > 0 ? Math.sqrt(squares) : 1);
            float[] vectors = new float[places.length * mean.length];
            FloatBuffer all = FloatBuffer.wrap(vectors);
            for (int place : places) {
                double[] one = new double[mean.length];
                add(row.ids()[place], one);
                Arrays.stream(one).forEach(number -> all.put((float) (number / divisor)));
            }
            return TokenVectors.of(texts.rows(Role.PASSAGE).places(passage), places, vectors);
        }

        @Override
        public void close() {
            texts.close();
        }
    }
}

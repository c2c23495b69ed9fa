package io.posbias.encode.model;

import io.posbias.Fields;
import io.posbias.PosbiasException;
import io.posbias.encode.Device;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.cache.VectorCache;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One vector a token, as late interaction compares them (ColBERT, arXiv:2004.12832; v2, arXiv:2112.01488). Which tokens
 * there are is the recipe's matter: markers, queries filled up with mask tokens, symbols left out of passages.
 */
public final class TokenEncoder implements TextEncoder {
    /** The names of the recipe's fields that are read here. */
    public static final List<String> FIELDS = TokenSettings.FIELDS;

    private static final List<String> OUTPUTS = List.of("last_hidden_state", "token_embeddings", "contextual");

    private final TokenSettings settings;
    private final OnnxRuntime runtime;
    private final RowWork work;
    private final Tokenizer tokenizer;
    private final TextRows queries;
    private final TextRows passages;
    private final OnnxModel model;
    private final String output;
    private final @Nullable LinearHead head;
    private final Set<Integer> skipped;
    private final int mask;
    private final String space;
    private final int dimension;

    private TokenEncoder(TokenSettings settings, Engine engine) {
        this.settings = settings;
        this.runtime = OnnxRuntime.on(engine.device(), engine::say);
        this.work = new RowWork(engine, runtime.device());
        this.tokenizer = settings.files().tokenizer(engine.home());
        Template template = settings.onnx().complete(tokenizer.single(), tokenizer);
        int limit = settings.onnx().maxTokens();
        this.queries = new TextRows(
                tokenizer,
                marked(template, settings.queryMarker()),
                "",
                settings.queryLength() == 0 ? limit : Math.min(limit, settings.queryLength()));
        this.passages = new TextRows(tokenizer, marked(template, settings.passageMarker()), "", limit);
        this.mask = settings.expansion() ? tokenizer.id(settings.maskToken()) : 0;
        this.skipped = skipped();
        this.model = settings.files().load(runtime, engine.home());
        this.output = model.output(settings.onnx().output(), OUTPUTS);
        LinearHead.Settings headSettings = settings.head();
        this.head =
                headSettings == null ? null : LinearHead.load(headSettings, settings.files(), runtime, engine.home());
        this.space = runtime.space(settings.fingerprint(), model);
        int width = vectors(List.of(passages.row("a")), Role.PASSAGE).getFirst().width();
        this.dimension = DenseSettings.checkedDimension(settings.dimension(), width);
    }

    /**
     * A check of a recipe's fields that loads nothing.
     *
     * @return the files that must be there
     */
    public static ModelFiles check(String recipe, Fields fields) {
        return TokenSettings.of(recipe, fields).files();
    }

    /** How the recipe wants vectors kept. */
    public static VectorCache.NumberFormat format(String recipe, Fields fields) {
        return TokenSettings.of(recipe, fields).half()
                ? VectorCache.NumberFormat.FLOAT16
                : VectorCache.NumberFormat.FLOAT32;
    }

    /** Loads the model that a recipe describes. */
    public static TokenEncoder open(String recipe, Fields fields, Engine engine) {
        return new TokenEncoder(TokenSettings.of(recipe, fields), engine);
    }

    /** The marker goes behind the first special tokens. */
    private Template marked(Template template, String marker) {
        if (marker.isEmpty()) {
            return template;
        }
        int[] before = Arrays.copyOf(template.before(), template.before().length + 1);
        before[before.length - 1] = tokenizer.id(marker);
        return new Template(before, template.between(), template.after(), template.types());
    }

    private Set<Integer> skipped() {
        Set<Integer> ids = new HashSet<>();
        for (String symbol : settings.skip()) {
            Optional<Integer> id = settings.skipFirstPiece()
                    ? Arrays.stream(tokenizer.tokenize(symbol).ids()).boxed().findFirst()
                    : tokenizer.find(symbol);
            id.ifPresent(ids::add);
        }
        return ids;
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

    public OnnxModel model() {
        return model;
    }

    /** The output that is read. */
    public String output() {
        return output;
    }

    /** Whether the recipe pads on the left. */
    public boolean padsLeft() {
        return settings.onnx().padLeft();
    }

    /** What makes rows of the texts of a role, up to the mask tokens behind queries. */
    public TextRows rows(Role role) {
        return role == Role.QUERY ? queries : passages;
    }

    @Override
    public Work prepare(List<String> texts, Role role) {
        List<TokenRow> rows = work.rows(texts.size(), i -> row(texts.get(i), role));
        List<List<Integer>> batches = work.batches(rows);
        return sink -> work.run(rows, batches, (batch, places) -> {
            List<Several> vectors = vectors(batch, role);
            List<Encoded> encoded = new ArrayList<>(places.size());
            for (int i = 0; i < places.size(); i++) {
                float[] values = vectors.get(i).values();
                int seen = batch.get(i).seen();
                encoded.add(new Encoded(places.get(i), values, values.length / dimension, seen));
            }
            sink.accept(encoded);
        });
    }

    /** What the graph gets of a text. */
    public TokenRow row(String text, Role role) {
        return role == Role.PASSAGE ? passages.row(text) : expanded(queries.row(text));
    }

    /** Mask tokens behind the last special token, up to the query's length. */
    private TokenRow expanded(TokenRow row) {
        int more = settings.queryLength() - row.size();
        if (!settings.expansion() || more <= 0) {
            return row;
        }
        int[] ids = Arrays.copyOf(row.ids(), settings.queryLength());
        Arrays.fill(ids, row.size(), ids.length, mask);
        int hidden = settings.attend() ? 0 : more;
        return new TokenRow(ids, Arrays.copyOf(row.types(), ids.length), hidden, row.prompt(), row.seen());
    }

    /** The tokens of a row that take part. */
    public int[] kept(TokenRow row, Role role) {
        int[] kept = new int[row.size()];
        int count = 0;
        for (int i = settings.dropFirst() ? 1 : 0; i < row.size(); i++) {
            if (role == Role.QUERY || !skipped.contains(row.ids()[i])) {
                kept[count++] = i;
            }
        }
        return Arrays.copyOf(kept, count);
    }

    /** Vectors one after another, and the size of one. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Several(float[] values, int width) {}

    private List<Several> vectors(List<TokenRow> rows, Role role) {
        return vectors(rows, padsLeft(), row -> kept(row, role));
    }

    /** The vectors of all tokens of every row, also of those that take no part, one after another. */
    public List<float[]> vectors(List<TokenRow> rows, boolean padLeft) {
        return vectors(rows, padLeft, row -> IntStream.range(0, row.size()).toArray()).stream()
                .map(Several::values)
                .toList();
    }

    private List<Several> vectors(List<TokenRow> rows, boolean padLeft, Function<TokenRow, int[]> kept) {
        TokenBatch batch = new TokenBatch(rows, new TokenBatch.Padding(tokenizer.padId(), padLeft), "");
        List<Several> gathered = model.run(batch, output, result -> gather(batch, result, kept));
        return gathered.stream().map(this::finish).toList();
    }

    private static List<Several> gather(TokenBatch batch, OnnxModel.Output result, Function<TokenRow, int[]> choice) {
        if (result.columns() != batch.columns()) {
            throw new PosbiasException("the graph gives " + result.columns() + " vectors for " + batch.columns()
                    + " tokens: late interaction needs one for each");
        }
        List<Several> all = new ArrayList<>(batch.rows());
        for (int r = 0; r < batch.rows(); r++) {
            int[] kept = choice.apply(batch.list().get(r));
            float[] vectors = new float[kept.length * result.width()];
            int first = r * result.columns() + batch.offset(r);
            for (int i = 0; i < kept.length; i++) {
                result.values().get((first + kept[i]) * result.width(), vectors, i * result.width(), result.width());
            }
            all.add(new Several(vectors, result.width()));
        }
        return all;
    }

    private Several finish(Several vectors) {
        LinearHead projection = vectors.values.length > 0 ? head : null;
        Several done =
                projection == null ? vectors : new Several(projection.apply(vectors.values), projection.dimension());
        for (float number : done.values) {
            if (!Float.isFinite(number)) {
                throw new PosbiasException("the model gave a vector with " + number + " in it");
            }
        }
        for (int from = 0; settings.normalise() && from < done.values.length; from += done.width) {
            Pooling.normalise(done.values, from, done.width);
        }
        return done;
    }

    /** The vectors of a query's tokens, one after another. */
    public float[] query(String text) {
        return vectors(List.of(row(text, Role.QUERY)), Role.QUERY).getFirst().values();
    }

    /** The vectors of a passage's tokens that take part. */
    public TokenVectors tokens(String passage) {
        TokenRow row = row(passage, Role.PASSAGE);
        float[] vectors = vectors(List.of(row), Role.PASSAGE).getFirst().values();
        return TokenVectors.of(passages.places(passage), kept(row, Role.PASSAGE), vectors);
    }

    @Override
    public void close() {
        model.close();
        if (head != null) {
            head.close();
        }
        tokenizer.close();
    }
}

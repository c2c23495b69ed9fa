package io.posbias.model.encode.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.onnx.OnnxModel;
import io.posbias.model.encode.onnx.OnnxSettings;
import io.posbias.model.encode.onnx.RowReader;
import io.posbias.model.encode.onnx.Template;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenBatch;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Tokenizer;
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
public final class TokenEncoder extends GraphEncoder {
    private static final List<String> OUTPUTS = List.of("last_hidden_state", "token_embeddings", "contextual");

    private final TokenSettings settings;
    private final TextRows queries;
    private final TextRows passages;
    private final String output;
    private final Set<Integer> skipped;
    private final int mask;
    private final int dimension;

    /** Loads the model. */
    public TokenEncoder(TokenSettings settings, Engine engine) {
        super(settings.graph(), engine);
        this.settings = settings;
        try {
            OnnxSettings onnx = settings.graph().onnx();
            this.queries = settings.rows(tokenizer, Role.QUERY);
            this.passages = settings.rows(tokenizer, Role.PASSAGE);
            this.mask = settings.queryExpansion() ? tokenizer.id(settings.maskToken()) : 0;
            this.skipped = skipped();
            this.output = model.output(onnx.output(), OUTPUTS);
            TokenRow row = passages.row("a");
            int all = vectors(List.of(row), Role.PASSAGE, padsLeft()).getFirst().length;
            this.dimension = checkedDimension(all / row.size());
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    /**
     * Settings of a late-interaction encoder's recipe.
     *
     * @param graph settings of all encoders; its token limit is that of passages
     * @param queryMarker token after the first special one of queries; empty for none
     * @param documentMarker token after the first special one of passages; empty for none
     * @param queryPrompt exact text before queries
     * @param documentPrompt exact text before passages
     * @param queryLength tokens of a query at most, markers and special ones included; 0 for the passages' limit
     * @param queryExpansion whether queries are filled up to that length with the mask token
     * @param maskToken which token that is
     * @param attendToExpansion whether attention sees these; null for not
     * @param skip symbols whose tokens in passages take no part
     * @param skipLookup whether a symbol's id is that of the token of its name, or the first one of encoding it
     * @param dropFirst whether the first token's vector takes no part
     * @param vectors format of stored ones
     */
    public record TokenSettings(
            @JsonUnwrapped GraphSettings graph,
            @Setting(usual = "''") String queryMarker,
            @Setting(usual = "''") String documentMarker,
            @Setting(usual = "''") String queryPrompt,
            @Setting(usual = "''") String documentPrompt,
            @Setting(usual = "0", least = 0) int queryLength,
            @Setting(usual = "false") boolean queryExpansion,
            @Setting(usual = "'[MASK]'") String maskToken,
            @Nullable Boolean attendToExpansion,
            @Setting(usual = "[]") List<String> skip,
            @Setting(words = {"token", "first-piece"}) String skipLookup,
            @Setting(usual = "false") boolean dropFirst,
            @Setting(usual = "float32") VectorCache.VectorFormat vectors) {
        /** The 32 of ASCII, as Python's string.punctuation, which ColBERT leaves out. */
        private static final String PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

        public TokenSettings {
            if (queryExpansion && queryLength == 0) {
                throw new Setting.Wrong("query-length", "is 0", "query-expansion fills queries up to it");
            }
            if (!queryExpansion && attendToExpansion != null) {
                throw new Setting.Wrong("attend-to-expansion", "has no meaning without query-expansion", "remove it");
            }
            skip = skip.equals(List.of("punctuation"))
                    ? PUNCTUATION.chars().mapToObj(Character::toString).toList()
                    : skip;
        }

        /** Returns a SHA-256 of the fields that vectors depend on. */
        public String fingerprint() {
            return Json.fingerprint(graph.written(), TokenSettings.class);
        }

        /** Returns the number and format of stored vectors. */
        public VectorCache.Shape shape() {
            return VectorCache.Shape.ofTokens(vectors);
        }

        /** Opens a reader of texts, by the tokenizer alone. */
        public TextReader reader(Engine engine) {
            Tokenizer tokenizer = graph.files().tokenizer(engine.session());
            return new RowReader(rows(tokenizer, Role.QUERY), rows(tokenizer, Role.PASSAGE));
        }

        /** Returns the row maker of a role; it adds no mask tokens after queries. */
        TextRows rows(Tokenizer tokenizer, Role role) {
            int limit = graph.onnx().maxTokens();
            boolean isQuery = role == Role.QUERY;
            Template template = marked(tokenizer, isQuery ? queryMarker : documentMarker);
            return new TextRows(
                    tokenizer,
                    template,
                    isQuery ? queryPrompt : documentPrompt,
                    isQuery && queryLength > 0 ? Math.min(limit, queryLength) : limit);
        }

        /** The marker goes behind the first special tokens. */
        private Template marked(Tokenizer tokenizer, String marker) {
            Template template = graph.onnx().complete(tokenizer.single(), tokenizer);
            if (marker.isEmpty()) {
                return template;
            }
            int[] before = Arrays.copyOf(template.before(), template.before().length + 1);
            before[before.length - 1] = tokenizer.id(marker);
            return new Template(before, template.between(), template.after(), template.types());
        }
    }

    private Set<Integer> skipped() {
        Set<Integer> ids = new HashSet<>();
        for (String symbol : settings.skip()) {
            Optional<Integer> id = settings.skipLookup().equals("first-piece")
                    ? Arrays.stream(tokenizer.tokenize(symbol).ids()).boxed().findFirst()
                    : tokenizer.find(symbol);
            id.ifPresent(ids::add);
        }
        return ids;
    }

    @Override
    public String space() {
        return space(settings.fingerprint());
    }

    @Override
    public int dimension() {
        return dimension;
    }

    @Override
    public String output(Role role) {
        return output;
    }

    @Override
    public TextRows rows(Role role) {
        return role == Role.QUERY ? queries : passages;
    }

    @Override
    public TokenRow row(String text, Role role) {
        return role == Role.PASSAGE ? passages.row(text) : expanded(queries.row(text));
    }

    /** Mask tokens behind the last special token, up to the query's length. */
    private TokenRow expanded(TokenRow row) {
        int more = settings.queryLength() - row.size();
        if (!settings.queryExpansion() || more <= 0) {
            return row;
        }
        int[] ids = Arrays.copyOf(row.ids(), settings.queryLength());
        Arrays.fill(ids, row.size(), ids.length, mask);
        int hidden = Boolean.TRUE.equals(settings.attendToExpansion()) ? 0 : more;
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

    @Override
    protected List<float[]> scoringVectors(List<TokenRow> rows, Role role) {
        return vectors(rows, padsLeft(), row -> kept(row, role));
    }

    /** The vectors of all tokens of every row, also of those that take no part, one after another. */
    @Override
    public List<float[]> vectors(List<TokenRow> rows, Role role, boolean left) {
        return vectors(rows, left, row -> IntStream.range(0, row.size()).toArray());
    }

    private List<float[]> vectors(List<TokenRow> rows, boolean left, Function<TokenRow, int[]> kept) {
        TokenBatch batch = new TokenBatch(rows, padding(left));
        return model.run(
                batch,
                output,
                result -> gather(batch, result, kept).stream()
                        .map(vectors -> finished(vectors, result.width()))
                        .toList());
    }

    private static List<float[]> gather(
            TokenBatch batch, OnnxModel.OnnxOutput result, Function<TokenRow, int[]> choice) {
        if (result.columns() != batch.columns()) {
            throw new PosbiasException("the graph gives " + result.columns() + " vectors for " + batch.columns()
                    + " tokens: late interaction needs one for each");
        }
        List<float[]> all = new ArrayList<>(batch.rows());
        for (int r = 0; r < batch.rows(); r++) {
            int[] kept = choice.apply(batch.list().get(r));
            float[] vectors = new float[kept.length * result.width()];
            int first = r * result.columns() + batch.offset(r);
            for (int i = 0; i < kept.length; i++) {
                result.values().get((first + kept[i]) * result.width(), vectors, i * result.width(), result.width());
            }
            all.add(vectors);
        }
        return all;
    }

    /** The vectors of a passage's tokens that take part. */
    public TokenVectors tokens(String passage) {
        TokenRow row = row(passage, Role.PASSAGE);
        float[] vectors = scoringVectors(List.of(row), Role.PASSAGE).getFirst();
        return TokenVectors.of(passages.places(passage), kept(row, Role.PASSAGE), vectors);
    }
}

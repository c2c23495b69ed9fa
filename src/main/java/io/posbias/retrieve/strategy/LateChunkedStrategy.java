package io.posbias.retrieve.strategy;

import io.posbias.Closing;
import io.posbias.Fields;
import io.posbias.dataset.Passage;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.TextReader;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.VectorCache;
import io.posbias.encode.model.DenseEncoder;
import io.posbias.encode.model.DenseSettings;
import io.posbias.encode.model.Pooling;
import io.posbias.encode.onnx.TextRows;
import io.posbias.encode.onnx.Tokenizer;
import io.posbias.retrieve.DenseRetriever;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Windows of passages, whose tokens are encoded in the context of the whole passage. */
public final class LateChunkedStrategy implements Strategy {
    private static final String OVERLAP = "overlap";

    /** The first word of a stretch may have more tokens than inside the text. */
    private static final int SLACK = 4;

    @Override
    public String kind() {
        return "late-chunked";
    }

    @Override
    public String meaning() {
        return "the passage read whole, and a vector for each window of its tokens; the best one counts";
    }

    @Override
    public List<String> fields() {
        return Stream.of(TextWindows.FIELDS, WindowScore.FIELDS, List.of(OVERLAP))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        if (!wrapped.kind().equals("dense")) {
            return Optional.of("has no token vectors to average");
        }
        Pooling pooling = DenseSettings.of(wrapped.name(), wrapped.settings()).pooling();
        return pooling == Pooling.MEAN ? Optional.empty() : Optional.of("does not pool by the mean over tokens");
    }

    @Override
    public Retriever around(Recipe recipe, Recipe wrapped) {
        TextWindows windows = ChunkedStrategy.checked(recipe, wrapped);
        Fields fields = recipe.settings();
        int overlap = fields.positive(OVERLAP, windows.size());
        if (overlap < windows.size()) {
            throw fields.bad(OVERLAP, "is " + overlap, "it must be at least a window, which is " + windows.size());
        }
        if (wrapped.maxTokens() > 0 && overlap >= wrapped.maxTokens()) {
            throw fields.bad(OVERLAP, "is " + overlap, wrapped.name() + " reads " + wrapped.maxTokens() + " tokens");
        }
        DenseRetriever whole = DenseRetriever.with(recipe, wrapped, engine -> encoder(recipe, wrapped, overlap, engine))
                .reading(plain -> engine -> reader(recipe, wrapped, overlap, plain.apply(engine), engine));
        return new LateChunkedRetriever(
                recipe,
                whole,
                (dataset, engine) -> ChunkedStrategy.with(
                        recipe,
                        wrapped,
                        dataset,
                        engine,
                        cutter -> new Windows(
                                dataset,
                                cutter,
                                Windows.Part.CONTENT,
                                (id, passage, window) -> new Passage(id, "", passage.content()))));
    }

    private static TextEncoder encoder(Recipe recipe, Recipe wrapped, int overlap, Engine engine) {
        DenseEncoder model = new DenseEncoder(DenseSettings.of(wrapped.name(), wrapped.settings()), engine);
        CachedEncoder plain = new CachedEncoder(model, wrapped.name(), engine, VectorCache.Shape.ONE);
        TextRows rows = model.rows(Role.PASSAGE);
        return new LateChunkEncoder(
                model, plain, Closing.onFailure(() -> stretches(recipe, wrapped, overlap, rows), plain::close));
    }

    private static Stretches stretches(Recipe recipe, Recipe wrapped, int overlap, Tokenizer tokenizer) {
        DenseSettings settings = DenseSettings.of(wrapped.name(), wrapped.settings());
        return stretches(recipe, wrapped, overlap, settings.rows(tokenizer, Role.PASSAGE));
    }

    private static Stretches stretches(Recipe recipe, Recipe wrapped, int overlap, TextRows rows) {
        int room = rows.room() - SLACK;
        if (overlap >= room) {
            throw recipe.settings()
                    .bad(OVERLAP, "is " + overlap, "a stretch of " + wrapped.name() + " has " + room + " tokens");
        }
        Tokenizer tokenizer = rows.tokenizer();
        return new Stretches(
                room,
                overlap,
                TextWindows.of(recipe.settings(), text -> ChunkedStrategy.spans(tokenizer.tokenize(text))));
    }

    private static TextReader reader(Recipe recipe, Recipe wrapped, int overlap, TextReader plain, Engine engine) {
        Tokenizer tokenizer = wrapped.tokenizer(engine.home()).orElseThrow();
        return new Whole(
                plain,
                tokenizer,
                Closing.onFailure(
                        () -> stretches(recipe, wrapped, overlap, tokenizer).windows(),
                        tokenizer::close,
                        plain::close));
    }

    /** Truncation of windows: stretches fit; a text of one window is encoded as by the model. */
    private record Whole(TextReader plain, Tokenizer tokenizer, TextWindows windows) implements TextReader {
        @Override
        public int seen(String text, Role role) {
            return role == Role.QUERY || windows.cut(text).size() == 1 ? plain.seen(text, role) : TextEncoder.WHOLE;
        }

        @Override
        public void close() {
            plain.close();
            tokenizer.close();
        }
    }
}

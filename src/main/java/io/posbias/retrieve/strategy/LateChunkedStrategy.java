package io.posbias.retrieve.strategy;

import io.posbias.BadInputException;
import io.posbias.Fields;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Span;
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

/** Finds passages by windows of them, whose tokens have seen the whole passage. */
public final class LateChunkedStrategy implements Strategy {
    private static final String OVERLAP = "overlap";

    /** A stretch begins inside the text; there the first word may have more pieces than it had. */
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
            return Optional.of("has no vectors of tokens to take a mean of");
        }
        Pooling pooling = DenseSettings.of(wrapped.name(), wrapped.settings()).pooling();
        return pooling == Pooling.MEAN
                ? Optional.empty()
                : Optional.of("does not take the mean over its tokens, as late chunking does");
    }

    @Override
    public Retriever around(Recipe recipe, Recipe wrapped) {
        TextWindows windows = ChunkedStrategy.checked(recipe, wrapped);
        Fields fields = recipe.settings();
        int overlap = fields.positive(OVERLAP, windows.size());
        if (overlap < windows.size()) {
            throw fields.bad(OVERLAP, "is " + overlap, "stretches share at least a window, which is " + windows.size());
        }
        if (wrapped.maxTokens() > 0 && overlap >= wrapped.maxTokens()) {
            throw fields.bad(OVERLAP, "is " + overlap, wrapped.name() + " reads " + wrapped.maxTokens() + " tokens");
        }
        return new WindowedRetriever(
                recipe,
                DenseRetriever.with(recipe, wrapped, engine -> encoder(recipe, wrapped, overlap, engine))
                        .reading((plain, engine) -> {
                            checkRoom(recipe, wrapped, overlap, engine);
                            return new Whole(plain);
                        }),
                WindowScore.of(fields),
                (dataset, engine) -> ChunkedStrategy.with(
                        recipe,
                        wrapped,
                        dataset,
                        engine,
                        cutter -> new Windows(dataset, cutter, Windows.Part.CONTENT, LateChunkedStrategy::window)));
    }

    private static Passage window(String id, Passage passage, Span window) {
        return new Passage(id, "", new ContextWindow(passage.content(), window).text());
    }

    private static TextEncoder encoder(Recipe recipe, Recipe wrapped, int overlap, Engine engine) {
        DenseEncoder model = DenseEncoder.open(wrapped.name(), wrapped.settings(), engine);
        CachedEncoder plain = new CachedEncoder(model, wrapped.name(), engine, VectorCache.NumberFormat.FLOAT32);
        TextRows rows = model.rows(Role.PASSAGE);
        int room = room(rows);
        if (overlap >= room) {
            plain.close();
            throw tooLong(recipe, wrapped, overlap, room);
        }
        return new LateChunkEncoder(model, plain, stretches(room, overlap, rows.tokenizer()));
    }

    private static Stretches stretches(Recipe wrapped, int overlap, Tokenizer tokenizer) {
        DenseSettings settings = DenseSettings.of(wrapped.name(), wrapped.settings());
        return stretches(room(settings.rows(tokenizer, Role.PASSAGE)), overlap, tokenizer);
    }

    private static Stretches stretches(int room, int overlap, Tokenizer tokenizer) {
        return new Stretches(room, overlap, text -> ChunkedStrategy.spans(tokenizer.tokenize(text)));
    }

    /** Tokens of a text in a stretch. */
    private static int room(TextRows rows) {
        return rows.room() - SLACK;
    }

    private static BadInputException tooLong(Recipe recipe, Recipe wrapped, int overlap, int room) {
        return recipe.settings()
                .bad(OVERLAP, "is " + overlap, "texts have " + room + " tokens in a stretch of " + wrapped.name());
    }

    private static void checkRoom(Recipe recipe, Recipe wrapped, int overlap, Engine engine) {
        try (Tokenizer tokenizer = wrapped.tokenizer(engine.home()).orElseThrow()) {
            DenseSettings settings = DenseSettings.of(wrapped.name(), wrapped.settings());
            int room = room(settings.rows(tokenizer, Role.PASSAGE));
            if (overlap >= room) {
                throw tooLong(recipe, wrapped, overlap, room);
            }
        }
    }

    /** Windows, whose stretches fit whole; a text of one window is read as the model reads it. */
    private record Whole(TextReader plain) implements TextReader {
        @Override
        public int seen(String text, Role role) {
            return ContextWindow.parse(text) == null ? plain.seen(text, role) : TextEncoder.WHOLE;
        }

        @Override
        public void close() {
            plain.close();
        }
    }
}

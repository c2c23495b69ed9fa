package io.posbias.model.strategy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Words;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.cache.CachedEncoder;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.encode.model.Pooling;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.encode.worker.WorkerEncoder;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.VectorRetriever;
import io.posbias.model.retrieve.WorkerRecipe;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Windows of passages, whose tokens are encoded in the context of the whole passage. */
public final class LateChunkedStrategy extends Strategy {
    /** The first word of a stretch may have more tokens than inside the text. */
    private static final int SLACK = 4;

    public LateChunkedStrategy() {
        super(
                "late-chunked",
                "the passage read whole, and a vector for each window of its tokens; the best one counts",
                LateChunked.class);
    }

    @Override
    public Optional<String> misfit(Recipe wrapped) {
        if (wrapped instanceof WorkerRecipe worker && worker.isDense()) {
            return Optional.empty();
        }
        if (!(wrapped instanceof DenseRecipe dense)) {
            return Optional.of("has no token vectors to average");
        }
        return dense.model().pools(Pooling.MEAN)
                ? Optional.empty()
                : Optional.of("does not pool by the mean over tokens");
    }

    /** Only a running worker says that it gives vectors of spans. */
    @Override
    public List<String> usual(Recipe wrapped) {
        return wrapped instanceof WorkerRecipe
                ? List.of()
                : TextWindows.WindowSettings.usual(wrapped).subList(0, 1);
    }

    /**
     * Recipe of late chunking.
     *
     * @param given tokens that a stretch of a long passage shares with the next one; null for a window
     */
    record LateChunked(
            @JsonUnwrapped RecipeCard card,
            Recipe model,
            @JsonUnwrapped TextWindows.WindowSettings windows,
            @JsonUnwrapped WindowScore score,

            @JsonProperty("overlap") @Setting(least = 1) @Nullable
            Integer given)
            implements Wrapper {
        private static final String OVERLAP = "overlap";

        LateChunked {
            if (given != null && given < windows.window()) {
                throw new Setting.Wrong(
                        OVERLAP, "is " + given, "it must be at least a window, which is " + windows.window());
            }
        }

        private int overlap() {
            return Objects.requireNonNullElse(given, windows.window());
        }

        @Override
        public Retriever retriever() {
            ChunkedStrategy.refuseLong(this, windows);
            if (model instanceof WorkerRecipe worker) {
                return byWorker(worker);
            }
            if (maxTokens() > 0 && overlap() >= maxTokens()) {
                throw settings().bad(OVERLAP, "is " + overlap(), model.name() + " reads " + maxTokens() + " tokens");
            }
            DenseRecipe dense = (DenseRecipe) model;
            VectorRetriever whole = dense.retriever()
                    .with(
                            this,
                            engine -> encoder(dense, engine),
                            plain -> engine -> reader(dense, plain.apply(engine), engine));
            return new LateChunkedRetriever(
                    this,
                    whole,
                    score,
                    (dataset, engine) ->
                            ChunkedStrategy.with(this, windows, dataset, engine, cutter -> windows(dataset, cutter)));
        }

        private static Windows windows(Dataset dataset, TextWindows cutter) {
            return new Windows(
                    dataset,
                    cutter,
                    Windows.Part.CONTENT,
                    (id, passage, window) -> new Passage(id, "", passage.content()));
        }

        /** Windows are of words, as the tokens are those of another process, which divides long texts by itself. */
        private Retriever byWorker(WorkerRecipe worker) {
            if (given != null) {
                throw settings().bad(OVERLAP, "is " + given, "a worker divides long texts by itself: remove it");
            }
            TextWindows words = windows.over(text -> Words.cut(text, ""));
            Function<Engine, TextEncoder> opener = engine -> {
                WorkerEncoder encoder = worker.encoder(engine);
                CachedEncoder plain = new CachedEncoder(encoder, worker.name(), engine, VectorCache.Shape.ONE);
                return new WorkerChunkEncoder(encoder, plain, words, new AtomicLong());
            };
            VectorRetriever whole = ((VectorRetriever) worker.retriever()).with(this, opener, UnaryOperator.identity());
            return new LateChunkedRetriever(this, whole, score, (dataset, engine) -> windows(dataset, words));
        }

        private TextEncoder encoder(DenseRecipe dense, Engine engine) {
            DenseEncoder encoder = new DenseEncoder(dense.model(), engine);
            CachedEncoder plain = new CachedEncoder(encoder, dense.name(), engine, VectorCache.Shape.ONE);
            TextRows rows = encoder.rows(Role.PASSAGE);
            return new LateChunkEncoder(encoder, plain, Closing.onFailure(() -> stretches(rows), plain::close));
        }

        private Stretches stretches(TextRows rows) {
            int room = rows.room() - SLACK;
            if (overlap() >= room) {
                throw settings()
                        .bad(OVERLAP, "is " + overlap(), "a stretch of " + model.name() + " has " + room + " tokens");
            }
            Tokenizer tokenizer = rows.tokenizer();
            return new Stretches(
                    room, overlap(), windows.over(text -> ChunkedStrategy.spans(tokenizer.tokenize(text))));
        }

        private TextReader reader(DenseRecipe dense, TextReader plain, Engine engine) {
            Tokenizer tokenizer = dense.tokenizer(engine.session()).orElseThrow();
            return new Whole(
                    plain,
                    tokenizer,
                    Closing.onFailure(
                            () -> stretches(dense.model().rows(tokenizer, Role.PASSAGE))
                                    .windows(),
                            tokenizer::close,
                            plain::close));
        }
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

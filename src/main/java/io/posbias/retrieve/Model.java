package io.posbias.retrieve;

import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.PairScorer;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.TextReader;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.VectorCache;
import io.posbias.encode.cache.VectorSource;
import io.posbias.encode.check.EncoderCheck;
import io.posbias.encode.check.ScorerCheck;
import io.posbias.encode.check.TokenCheck;
import io.posbias.encode.model.DenseEncoder;
import io.posbias.encode.model.GraphScorer;
import io.posbias.encode.model.TokenEncoder;
import io.posbias.encode.onnx.ModelFiles;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What reads texts for a retriever: a model of files, or a service. Nothing is loaded before it is opened. */
public sealed interface Model {
    /** The files that must be there first; none for a service. */
    List<ModelFiles> files();

    /** Loads the model and looks whether it does what its recipe says; a service is called once. */
    ModelCheck check(Engine engine);

    /** Whether it is called, not loaded. */
    default boolean isService() {
        return files().isEmpty();
    }

    /**
     * Gives every text vectors by itself.
     *
     * @param opener loads the model in this process
     * @param vectors opens one vector for each text, cached; null where a text has several, or its vectors are not all of it
     * @param reader opens what tells how much of a text is read; null where nothing does
     * @param bytes of a text's vector in an index; 0 where the recipe does not say, or a text has several
     */
    record Encoder(
            List<ModelFiles> files,
            Function<Engine, TextEncoder> opener,
            @Nullable Function<Engine, VectorSource> vectors,
            @Nullable Function<Engine, TextReader> reader,
            Attribution attribution,
            double bytes)
            implements Model {
        /**
         * Opens the vectors of texts.
         *
         * @throws NullPointerException if a text has several
         */
        public VectorSource open(Engine engine) {
            return Objects.requireNonNull(vectors).apply(engine);
        }

        /** The same for a retriever that finds texts by parts of them. */
        public Encoder ofParts() {
            return new Encoder(files, opener, null, null, Attribution.WRAPPED, bytes);
        }

        /** The same with other vectors. */
        public Encoder from(Function<Engine, VectorSource> view) {
            return new Encoder(files, opener, view, reader, attribution, bytes);
        }

        /** The same of which nothing but how much is read changes. */
        public Encoder reading(UnaryOperator<Function<Engine, TextReader>> change) {
            return new Encoder(
                    files, opener, vectors, reader == null ? null : change.apply(reader), attribution, bytes);
        }

        @Override
        public ModelCheck check(Engine engine) {
            try (TextEncoder encoder = opener.apply(engine)) {
                return switch (encoder) {
                    case DenseEncoder dense -> EncoderCheck.of(dense, engine);
                    case TokenEncoder tokens -> TokenCheck.of(tokens, engine);
                    default -> EncoderCheck.ofService(encoder);
                };
            }
        }
    }

    /**
     * Reads a query and a passage together.
     *
     * @param opener loads the model in this process
     * @param givesLogits whether its scores are logits of relevance, which a sigmoid brings between 0 and 1
     */
    record Reranker(List<ModelFiles> files, Function<Engine, PairScorer> opener, boolean givesLogits) implements Model {
        @Override
        public ModelCheck check(Engine engine) {
            try (PairScorer scorer = opener.apply(engine)) {
                return scorer instanceof GraphScorer graph
                        ? ScorerCheck.of(graph, engine)
                        : ScorerCheck.ofService(scorer);
            }
        }
    }

    /**
     * Opens cached vectors of a recipe's own model, which workers encode where there are some. A service stays in this process, which
     * alone keeps its limits.
     *
     * @param opener loads the model in this process
     */
    static CachedEncoder cached(
            Recipe recipe,
            boolean isService,
            Function<Engine, TextEncoder> opener,
            VectorCache.VectorFormat format,
            Engine engine) {
        TextEncoder texts =
                engine.workers().any() && !isService ? new SpreadEncoder(recipe, engine) : opener.apply(engine);
        return new CachedEncoder(texts, recipe.name(), engine, format);
    }
}

package io.posbias.model.retrieve;

import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.check.EncoderCheck;
import io.posbias.model.encode.check.ScorerCheck;
import io.posbias.model.encode.check.TokenCheck;
import io.posbias.model.encode.model.GraphEncoder;
import io.posbias.model.encode.model.GraphScorer;
import io.posbias.model.encode.model.TokenEncoder;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.worker.WorkerEncoder;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Neural model or service of a retriever. Loads nothing before it is opened. */
public sealed interface Model {
    /** Returns the required files; none for a service. */
    List<ModelFiles> files();

    /** Loads the model and compares it with its recipe; a service is called once. */
    ModelCheck check(Engine engine);

    /** Returns true if texts leave this machine, to a service that may cost money. */
    boolean isService();

    /**
     * Bi-encoder: encodes each text by itself.
     *
     * @param isService true if it calls a service
     * @param opener loads the model
     * @param vectors opens cached vectors, one per text; null with several vectors per text
     * @param reader opens the truncation probe; null if truncation is unknown
     * @param bytes of a text's vector in an index; 0 if unknown, or with several vectors per text
     */
    record Encoder(
            List<ModelFiles> files,
            boolean isService,
            Function<Engine, TextEncoder> opener,
            @Nullable Function<Engine, VectorSource> vectors,
            @Nullable Function<Engine, TextReader> reader,
            Attribution attribution,
            double bytes)
            implements Model {
        /**
         * Opens the vectors of texts.
         *
         * @throws NullPointerException with several vectors per text
         */
        public VectorSource open(Engine engine) {
            return Objects.requireNonNull(vectors).apply(engine);
        }

        /** Returns true if texts are encoded by this process, by a service or by workers that it starts. */
        boolean isHere() {
            return isService || files.isEmpty();
        }

        /** Returns this for a retriever of parts of texts. */
        public Encoder withoutVectors() {
            return new Encoder(files, isService, opener, null, null, Attribution.WRAPPED, bytes);
        }

        /** Returns this with other vectors. */
        public Encoder withVectors(Function<Engine, VectorSource> view) {
            return new Encoder(files, isService, opener, view, reader, attribution, bytes);
        }

        /** Returns this with another truncation probe. */
        public Encoder withTruncationProbe(UnaryOperator<Function<Engine, TextReader>> change) {
            return new Encoder(
                    files,
                    isService,
                    opener,
                    vectors,
                    reader == null ? null : change.apply(reader),
                    attribution,
                    bytes);
        }

        @Override
        public ModelCheck check(Engine engine) {
            try (TextEncoder encoder = opener.apply(engine)) {
                return switch (encoder) {
                    case TokenEncoder tokens -> TokenCheck.of(tokens, engine);
                    case GraphEncoder graph -> EncoderCheck.of(graph, engine);
                    case WorkerEncoder worker -> EncoderCheck.ofService(worker, worker.width());
                    default -> EncoderCheck.ofService(encoder, encoder.dimension());
                };
            }
        }
    }

    /**
     * Cross-encoder: reads query and passage together.
     *
     * @param isService true if it calls a service
     * @param opener loads the model
     * @param givesLogits true if scores are logits of relevance
     */
    record Reranker(List<ModelFiles> files, boolean isService, Function<Engine, PairScorer> opener, boolean givesLogits)
            implements Model {
        @Override
        public ModelCheck check(Engine engine) {
            try (PairScorer scorer = opener.apply(engine)) {
                return scorer instanceof GraphScorer graph
                        ? ScorerCheck.of(graph, engine)
                        : ScorerCheck.ofService(scorer);
            }
        }
    }
}

package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.worker.WorkerEncoder;
import io.posbias.model.encode.worker.WorkerInside;
import io.posbias.model.encode.worker.WorkerScorer;
import io.posbias.model.encode.worker.WorkerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recipe of a model in another process: a dense, multi-vector or sparse encoder, or a reranker.
 *
 * @param firstStage of a reranker, BM25 by default; optional with one vector per token
 */
public record WorkerRecipe(
        @JsonUnwrapped RecipeCard card,
        @JsonUnwrapped WorkerSettings given,
        @JsonUnwrapped VectorSettings search,
        @Nullable Recipe firstStage,
        @Setting(least = 1) @Nullable Integer depth)
        implements Recipe {
    private static final Attribution NONE = new Attribution.None("runs in another process");

    public WorkerRecipe {
        boolean searches = given.gives() == WorkerSettings.Gives.DENSE || given.gives() == WorkerSettings.Gives.SPARSE;
        if (searches && (firstStage != null || depth != null)) {
            throw new Setting.Wrong(
                    firstStage == null ? "depth" : FirstStage.FIELD,
                    "has no meaning with 'gives: " + Suggestions.word(given.gives()) + "'",
                    "remove it");
        }
        if (given.gives() != WorkerSettings.Gives.DENSE && !search.equals(VectorSettings.USUAL)) {
            throw new Setting.Wrong(
                    "gives",
                    "is not dense, and similarity, search, hnsw and normalise are settings of dense vectors",
                    "remove them");
        }
    }

    private WorkerSettings worker(Consumer<String> say) {
        Path parent = settings().where().file().toAbsolutePath().getParent();
        Path folder = Objects.requireNonNullElse(parent, Path.of(""));
        return given.in(folder, line -> say.accept("note: " + name() + ": " + line));
    }

    @Override
    public void startEarly(Engine engine) {
        WorkerEncoder.startEarly(name(), worker(line -> {}), engine);
    }

    /** A changed script or weight file makes another model. */
    @Override
    public Stream<String> code(Path home) {
        return Stream.concat(Stream.of(worker(line -> {}).digest(home)), Recipe.super.code(home));
    }

    @Override
    public Retriever retriever() {
        return switch (given.gives()) {
            case DENSE ->
                VectorRetriever.dense(this, List.of(), this::dense, null, NONE).with(search);
            case LATE_INTERACTION ->
                new VectorRetriever(
                        this,
                        several(),
                        new MaxSim.Late(VectorCache.VectorFormat.FLOAT32, false),
                        LateInteractionRecipe.stage(firstStage, depth));
            case SPARSE -> new VectorRetriever(this, several(), InvertedIndex.Sparse.PAIRS, null);
            case CROSS_ENCODER ->
                new RerankRetriever(
                        this,
                        new Model.Reranker(
                                List.of(),
                                false,
                                engine -> new WorkerScorer(name(), worker(engine::say), engine),
                                given.givesLogits()),
                        new FirstStage(
                                Optional.ofNullable(firstStage).orElseGet(() -> RecipeBook.find("bm25")),
                                Objects.requireNonNullElse(depth, FirstStage.DEPTH)),
                        null);
        };
    }

    private Model.Encoder several() {
        return new Model.Encoder(List.of(), false, this::encoder, null, null, NONE, 0);
    }

    /** Returns true if the worker gives one vector per text. */
    public boolean isDense() {
        return given.gives() == WorkerSettings.Gives.DENSE;
    }

    public WorkerEncoder encoder(Engine engine) {
        return new WorkerEncoder(name(), worker(engine::say), engine);
    }

    /**
     * Starts workers that look into a dense model.
     *
     * @param change of their settings
     */
    public WorkerInside inside(UnaryOperator<WorkerSettings> change, Engine engine) {
        return new WorkerInside(name(), change.apply(worker(engine::say)), engine);
    }

    private TextEncoder dense(Engine engine) {
        WorkerEncoder encoder = encoder(engine);
        if (search.hnsw() != null && search.normalise() && !encoder.isNormalised()) {
            encoder.close();
            throw new PosbiasException(name() + ": the worker compares by inner product: an approximate index needs"
                    + " 'similarity: dot' and 'normalise: false' in the recipe");
        }
        return encoder;
    }
}

package io.posbias.model.retrieve;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.LastModel;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.TextEncoder;
import java.nio.file.Path;
import java.util.function.Function;

/** Model of a recipe, as a worker process opens it. */
final class OpenModel {
    private OpenModel() {}

    private record Key(PortableRecipe recipe, Device device) {}

    /**
     * Runs an action with a recipe's model.
     *
     * @param type {@link TextEncoder} or {@link PairScorer}
     * @param last keeps the model for the next block
     */
    static <M extends AutoCloseable, R> R with(
            Class<M> type, PortableRecipe recipe, Engine engine, LastModel last, Function<M, R> work) {
        return last.with(
                new Key(recipe, engine.device()), () -> open(recipe, engine), model -> work.apply(type.cast(model)));
    }

    private static AutoCloseable open(PortableRecipe recipe, Engine engine) {
        Model model = recipe.recipe().retriever().model().orElseThrow();
        requireFiles(model, engine.home());
        return switch (model) {
            case Model.Encoder encoder -> encoder.opener().apply(engine);
            case Model.Reranker reranker -> reranker.opener().apply(engine);
        };
    }

    private static void requireFiles(Model model, Path home) {
        try {
            model.files().forEach(files -> files.requireAll(home));
        } catch (PosbiasException absent) {
            throw new PosbiasException(
                    absent.line() + "; the worker reads models from " + home
                            + ", a folder shared with the driver or local to the worker (docs/scale.md)",
                    absent);
        }
    }
}

package io.posbias.retrieve;

import io.posbias.PosbiasException;
import io.posbias.encode.Device;
import io.posbias.encode.Engine;
import io.posbias.encode.PairScorer;
import io.posbias.encode.TextEncoder;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Model that a worker process used last, kept loaded for the next block. Concurrent blocks share it; a replaced model
 * is closed after its last use.
 */
final class OpenModel {
    private static @Nullable OpenModel last;

    private final Key key;
    private final AutoCloseable model;
    private int users;
    private boolean replaced;

    private record Key(PortableRecipe recipe, Device device) {}

    private OpenModel(Key key, AutoCloseable model) {
        this.key = key;
        this.model = model;
    }

    /**
     * Runs an action with a recipe's model.
     *
     * @param type {@link TextEncoder} or {@link PairScorer}
     */
    static <M extends AutoCloseable, R> R with(
            Class<M> type, PortableRecipe recipe, Engine engine, Function<M, R> work) {
        OpenModel open = use(new Key(recipe, engine.device()), engine);
        try {
            return work.apply(type.cast(open.model));
        } finally {
            open.leave();
        }
    }

    private static synchronized OpenModel use(Key key, Engine engine) {
        OpenModel found = last;
        if (found == null || !found.key.equals(key)) {
            if (found != null) {
                found.replaced = true;
                found.closeIfUnused();
                last = null;
            }
            found = new OpenModel(key, open(key, engine));
            last = found;
        }
        found.users++;
        return found;
    }

    private static AutoCloseable open(Key key, Engine engine) {
        Model model = key.recipe.recipe().retriever().model().orElseThrow();
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

    private void leave() {
        synchronized (OpenModel.class) {
            users--;
            closeIfUnused();
        }
    }

    private void closeIfUnused() {
        if (!replaced || users > 0) {
            return;
        }
        try {
            model.close();
        } catch (Exception refused) {
            throw new PosbiasException("cannot close a model: " + refused.getMessage(), refused);
        }
    }
}

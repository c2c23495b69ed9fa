package io.posbias.model.encode;

import io.posbias.base.process.PosbiasException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Model that a worker process used last, kept loaded for the next block. Concurrent blocks share it; a replaced model
 * is closed after its last use.
 */
public final class LastModel implements AutoCloseable {
    private @Nullable Opened last;

    private static final class Opened {
        final Object key;
        final AutoCloseable model;
        int users;
        boolean replaced;

        Opened(Object key, AutoCloseable model) {
            this.key = key;
            this.model = model;
        }

        void closeIfUnused() {
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

    /**
     * Runs an action with a model.
     *
     * @param key equal for equal models
     * @param opener opens it, unless it is the last one
     */
    public <R> R with(Object key, Supplier<AutoCloseable> opener, Function<AutoCloseable, R> work) {
        Opened open = use(key, opener);
        try {
            return work.apply(open.model);
        } finally {
            leave(open);
        }
    }

    private synchronized Opened use(Object key, Supplier<AutoCloseable> opener) {
        Opened found = last;
        if (found == null || !found.key.equals(key)) {
            close();
            found = new Opened(key, opener.get());
            last = found;
        }
        found.users++;
        return found;
    }

    private synchronized void leave(Opened open) {
        open.users--;
        open.closeIfUnused();
    }

    /** Closes the model, after its last use if it is in use. */
    @Override
    public synchronized void close() {
        Opened open = last;
        last = null;
        if (open != null) {
            open.replaced = true;
            open.closeIfUnused();
        }
    }
}

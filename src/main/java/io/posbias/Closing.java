package io.posbias;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Closes what was opened when a later step of the opening fails. */
public final class Closing {
    private Closing() {}

    /** Closes something; throws nothing that must be declared. */
    @FunctionalInterface
    public interface Close {
        /** Closes it. */
        void close();
    }

    /**
     * Runs the next step of an opening.
     *
     * @param opened what earlier steps opened, closed in this order if the step fails
     * @return what the step gives
     */
    public static <T extends @Nullable Object> T onFailure(Supplier<T> step, Close... opened) {
        try {
            return step.get();
        } catch (RuntimeException | Error failure) {
            for (Close one : opened) {
                try {
                    one.close();
                } catch (RuntimeException | Error another) {
                    failure.addSuppressed(another);
                }
            }
            throw failure;
        }
    }
}

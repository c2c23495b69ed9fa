package io.posbias.base.process;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Closes resources when a later step of opening fails. */
public final class Closing {
    private Closing() {}

    /** A close method without checked exceptions. */
    @FunctionalInterface
    public interface Close {
        void close();
    }

    /** Runs a step; if it throws, closes {@code opened} in this order. */
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

package io.posbias.encode.api;

import io.posbias.PosbiasException;
import java.io.Serial;
import java.util.concurrent.atomic.AtomicInteger;

/** How many calls may be made; several models may share one. A call that is tried again counts once. Safe for threads. */
public final class CallLimit {
    private final AtomicInteger left;

    /**
     * @param calls at least 0
     */
    public CallLimit(int calls) {
        left = new AtomicInteger(calls);
    }

    /** No limit that anybody reaches. */
    public static CallLimit none() {
        return new CallLimit(Integer.MAX_VALUE);
    }

    /** Whether one more may be made, which then counts as made. */
    boolean take() {
        return left.getAndUpdate(calls -> Math.max(0, calls - 1)) > 0;
    }

    /** The limit was reached before all questions were answered; the replies until then are kept. */
    public static final class ReachedException extends PosbiasException {
        @Serial
        private static final long serialVersionUID = 1L;

        ReachedException() {
            super("no more calls are allowed");
        }
    }
}

package io.posbias.encode;

import io.posbias.ExitCode;
import io.posbias.PosbiasException;
import java.io.Serial;
import java.util.concurrent.atomic.AtomicInteger;

/** How many calls may be made; several models may share one. A call that is tried again counts once. Safe for threads. */
public final class CallLimit {
    private final boolean isEstimate;
    private final AtomicInteger left;

    /**
     * @param calls at least 0; with 0 what would be called is only counted
     */
    public CallLimit(int calls) {
        this.isEstimate = calls == 0;
        left = new AtomicInteger(calls);
    }

    /** No limit that anybody reaches. */
    public static CallLimit none() {
        return new CallLimit(Integer.MAX_VALUE);
    }

    /** Whether what would be called is only to be counted. */
    public boolean isEstimate() {
        return isEstimate;
    }

    /**
     * Counts one more as made.
     *
     * @throws ReachedException if it may not be made
     */
    public void take() {
        if (left.getAndUpdate(calls -> Math.max(0, calls - 1)) == 0) {
            throw new ReachedException(
                    "stopped by --max-calls: what came until then is kept, and the same command continues", isEstimate);
        }
    }

    /** The limit was reached before all was called; what came until then is kept. */
    public static final class ReachedException extends PosbiasException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final boolean isEstimate;

        ReachedException(String message, boolean isEstimate) {
            super(message);
            this.isEstimate = isEstimate;
        }

        /** Whether no call was wanted, only their number. */
        public boolean isEstimate() {
            return isEstimate;
        }

        /** The same with other words. */
        public ReachedException saying(String message) {
            return new ReachedException(message, isEstimate);
        }

        @Override
        public int exitCode() {
            return isEstimate ? ExitCode.OK : ExitCode.FAILURE;
        }
    }
}

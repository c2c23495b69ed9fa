package io.posbias.model.encode;

import io.posbias.base.process.ExitCode;
import io.posbias.base.process.PosbiasException;
import java.io.Serial;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Limit on the number and cost of service calls of a run, shared by its models. A retried call counts once. Safe for
 * threads.
 */
public final class CallLimit {
    private final boolean isEstimate;
    private final boolean isOfLocal;
    private final double mostUsd;
    private int left;
    private double spentUsd;
    /** Maximum cost of the calls under way. */
    private double reservedUsd;

    private int underWay;
    private final Map<String, Set<Object>> counted = new HashMap<>();

    /**
     * @param calls at least 0; 0 estimates calls without making them
     */
    public CallLimit(int calls) {
        this(calls, Double.POSITIVE_INFINITY);
    }

    /**
     * @param calls at least 0; 0 estimates calls without making them
     * @param usd maximum total cost, at least 0; infinity for no limit
     */
    public CallLimit(int calls, double usd) {
        this(calls, usd, false);
    }

    private CallLimit(int calls, double usd, boolean isOfLocal) {
        this.isEstimate = calls == 0;
        this.isOfLocal = isOfLocal;
        this.left = calls;
        this.mostUsd = usd;
    }

    public static CallLimit none() {
        return new CallLimit(Integer.MAX_VALUE);
    }

    /** Returns a limit of estimates of local models: the texts and tokens that they would read. */
    public static CallLimit ofLocalWork() {
        return new CallLimit(0, Double.POSITIVE_INFINITY, true);
    }

    /** Returns true if estimates include a model: a service always, a local one if it is asked for. */
    public boolean includes(boolean isService) {
        return isService || isOfLocal;
    }

    /** Returns true if calls are only estimated. */
    public boolean isEstimate() {
        return isEstimate;
    }

    /**
     * Returns true if no estimate has counted a text or pair yet: one cell's calls fill the cache of the next.
     *
     * @param space of the vectors or scores, as {@link TextEncoder#space}
     */
    public synchronized boolean isFirst(String space, Object key) {
        return counted.computeIfAbsent(space, first -> new HashSet<>()).add(key);
    }

    /** Returns true if the cost is limited, so that prices must be known. */
    public boolean limitsCost() {
        return mostUsd < Double.POSITIVE_INFINITY;
    }

    /**
     * Reserves a call. If its maximum cost exceeds what is left, waits for the calls under way, which usually cost
     * less than reserved.
     *
     * @param usd maximum cost
     * @throws ReachedException if the limit is reached
     */
    public synchronized void take(double usd) {
        try {
            while (underWay > 0 && spentUsd + reservedUsd + usd > mostUsd) {
                wait();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new PosbiasException("interrupted while waiting for calls under way", stopped);
        }
        if (spentUsd + usd > mostUsd) {
            throw new ReachedException(
                    "--max-cost",
                    "stopped by --max-cost: what came until then is kept, and the same command continues with as much again",
                    isEstimate);
        }
        if (left == 0) {
            throw new ReachedException(
                    "--max-calls",
                    "stopped by --max-calls: what came until then is kept, and the same command continues",
                    isEstimate);
        }
        left--;
        underWay++;
        reservedUsd += usd;
    }

    /**
     * Records the end of a call.
     *
     * @param reserved as given to {@link #take}
     * @param usd actual cost
     */
    public synchronized void ended(double reserved, double usd) {
        underWay--;
        // Rounding errors accumulate; without calls under way nothing is reserved.
        reservedUsd = underWay == 0 ? 0 : reservedUsd - reserved;
        spentUsd += usd;
        notifyAll();
    }

    /** The limit was reached; finished calls are cached. */
    public static final class ReachedException extends PosbiasException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final String option;
        private final boolean isEstimate;

        ReachedException(String option, String message, boolean isEstimate) {
            super(message);
            this.option = option;
            this.isEstimate = isEstimate;
        }

        public String option() {
            return option;
        }

        public boolean isEstimate() {
            return isEstimate;
        }

        /** Returns this exception with another message. */
        public ReachedException withMessage(String message) {
            return new ReachedException(option, message, isEstimate);
        }

        @Override
        public int exitCode() {
            return isEstimate ? ExitCode.OK : ExitCode.FAILURE;
        }
    }
}

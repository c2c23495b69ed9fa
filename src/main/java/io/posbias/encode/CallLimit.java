package io.posbias.encode;

import io.posbias.ExitCode;
import io.posbias.PosbiasException;
import java.io.Serial;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How many calls of services one run may make, and what they may cost; several models may share one. A call that is tried
 * again counts once. Safe for threads.
 */
public final class CallLimit {
    private final boolean isEstimate;
    private final double mostUsd;
    private int left;
    private double spentUsd;
    /** What calls under way may cost at most. */
    private double reservedUsd;

    private int underWay;
    private final Map<String, Set<Object>> counted = new HashMap<>();

    /**
     * @param calls at least 0; with 0 what would be called is only counted
     */
    public CallLimit(int calls) {
        this(calls, Double.POSITIVE_INFINITY);
    }

    /**
     * @param calls at least 0; with 0 what would be called is only counted
     * @param usd what all may cost together, at least 0; infinity where that is not limited
     */
    public CallLimit(int calls, double usd) {
        this.isEstimate = calls == 0;
        this.left = calls;
        this.mostUsd = usd;
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
     * Whether an estimate meets a text or a pair for the first time: what one cell sends, another does not send again.
     *
     * @param space what its vector or score depends on besides
     * @param key of the text or pair
     */
    public synchronized boolean isFirst(String space, Object key) {
        return counted.computeIfAbsent(space, first -> new HashSet<>()).add(key);
    }

    /** Whether prices have to be known. */
    public boolean limitsCost() {
        return mostUsd < Double.POSITIVE_INFINITY;
    }

    /**
     * Counts one more call as begun. Where it may cost more than is left, waits for those under way, which usually cost less
     * than they may.
     *
     * @param usd what it may cost at most
     * @throws ReachedException if it may not be made
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
     * Counts a call as ended.
     *
     * @param reserved what {@link #take} was told
     * @param usd what it cost
     */
    public synchronized void ended(double reserved, double usd) {
        underWay--;
        // Sums of many fractions drift: with none under way nothing is reserved.
        reservedUsd = underWay == 0 ? 0 : reservedUsd - reserved;
        spentUsd += usd;
        notifyAll();
    }

    /** The limit was reached before all was called; what came until then is kept. */
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

        /** The option that sets the limit. */
        public String option() {
            return option;
        }

        /** Whether no call was wanted, only their number. */
        public boolean isEstimate() {
            return isEstimate;
        }

        /** The same with other words. */
        public ReachedException saying(String message) {
            return new ReachedException(option, message, isEstimate);
        }

        @Override
        public int exitCode() {
            return isEstimate ? ExitCode.OK : ExitCode.FAILURE;
        }
    }
}

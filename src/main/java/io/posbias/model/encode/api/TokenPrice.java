package io.posbias.model.encode.api;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Prices of a service's tokens.
 *
 * @param input USD per million tokens that it reads
 * @param output USD per million tokens that it writes; 0 where it writes none
 */
public record TokenPrice(double input, double output) {
    private static final double MILLION = 1e6;

    /** Returns the price of a number of tokens. */
    public double usd(long read, long written) {
        return (read * input + written * output) / MILLION;
    }

    /** Returns the cost of a call; empty if the service does not report its usage. */
    OptionalDouble usd(Usage usage) {
        OptionalLong written = output == 0 ? OptionalLong.of(0) : usage.written();
        return usage.tokens().isEmpty() || written.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(usd(usage.tokens().getAsLong() - written.getAsLong(), written.getAsLong()));
    }
}

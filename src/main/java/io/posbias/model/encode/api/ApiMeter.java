package io.posbias.model.encode.api;

import io.posbias.base.text.Plural;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Counts what calls use up, as the vendors say it. Safe for several threads; several services may share one. */
public final class ApiMeter {
    /** Answered calls; by the vendors' documentation, failed calls are not billed. */
    private long calls;

    private long retries;
    private long tokens;

    /** Billed by Cohere's rerankers, which do not bill tokens. */
    private long searches;

    private double cost;
    private boolean costKnown = true;

    /** USD; empty before the first call, and when one call's price or tokens are not known. */
    public synchronized OptionalDouble cost() {
        return calls > 0 && costKnown ? OptionalDouble.of(cost) : OptionalDouble.empty();
    }

    /** All counts by name, for results. */
    public synchronized Map<String, Number> figures() {
        Map<String, Number> figures = new LinkedHashMap<>();
        figures.put("api_calls", calls);
        figures.put("api_retries", retries);
        figures.put("api_tokens", tokens);
        if (searches > 0) {
            figures.put("api_searches", searches);
        }
        cost().ifPresent(usd -> figures.put("api_cost_usd", usd));
        return figures;
    }

    /** Counts an answer, and what it cost where that is known. */
    synchronized void answered(Usage usage, OptionalDouble usd) {
        calls++;
        searches += usage.searches();
        tokens += usage.tokens().orElse(0);
        cost += usd.orElse(0);
        costKnown &= usd.isPresent();
    }

    synchronized void retried() {
        retries++;
    }

    /** One line, for example {@code 12 calls (1 retry), 34567 tokens, 0.0045 USD}. */
    @Override
    public synchronized String toString() {
        StringBuilder line = new StringBuilder(Plural.of(calls, "call"));
        if (retries > 0) {
            line.append(" (").append(Plural.of(retries, "retry")).append(')');
        }
        line.append(", ").append(Plural.of(tokens, "token"));
        if (searches > 0) {
            line.append(", ").append(Plural.of(searches, "search"));
        }
        cost().ifPresent(usd -> line.append(String.format(Locale.ROOT, ", %.4f USD", usd)));
        return line.toString();
    }
}

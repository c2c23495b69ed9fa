package io.posbias.model.encode.api;

import io.posbias.model.encode.CallEstimate;
import java.util.ArrayList;
import java.util.List;

/**
 * The texts of one call: those from {@code from} up to, not including, {@code to}.
 *
 * @param from position of the first, from 0
 * @param to position after the last
 */
public record Batch(int from, int to) {
    /**
     * Limits of a call.
     *
     * @param texts at most, at least 1
     * @param tokens at most, estimated, unless one text alone has more
     */
    public record Limits(int texts, int tokens) {}

    /** Number of texts, at least 1. */
    public int size() {
        return to - from;
    }

    <T> List<T> of(List<T> texts) {
        return texts.subList(from, to);
    }

    /**
     * Divides texts into as few calls as their order allows. A text that alone has too many tokens goes alone: the
     * vendor cuts or refuses it, as the recipe asks.
     *
     * @param extra tokens that come on top of each text, for example those of a query
     */
    static List<Batch> divide(List<String> texts, Limits limits, long extra) {
        List<Batch> batches = new ArrayList<>();
        int from = 0;
        long tokens = 0;
        for (int i = 0; i < texts.size(); i++) {
            long next = CallEstimate.tokens(texts.get(i)) + extra;
            if (i > from && (i - from == limits.texts || tokens + next > limits.tokens)) {
                batches.add(new Batch(from, i));
                from = i;
                tokens = 0;
            }
            tokens += next;
        }
        if (from < texts.size()) {
            batches.add(new Batch(from, texts.size()));
        }
        return batches;
    }
}

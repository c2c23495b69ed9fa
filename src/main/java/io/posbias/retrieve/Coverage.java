package io.posbias.retrieve;

import io.posbias.encode.TextEncoder;
import java.util.HashMap;
import java.util.Map;

/**
 * How much of each text a model saw: what is past its limit of tokens was cut off, and a model that never saw the evidence
 * is not biased against it.
 */
public final class Coverage {
    /** Nothing was cut off. */
    public static final int WHOLE = TextEncoder.WHOLE;

    /** The vendor cuts without saying where. */
    public static final int UNKNOWN = TextEncoder.UNKNOWN;

    /** No stage before this one handed the passage on. */
    public static final int NEVER_READ = -3;

    private final String stage;
    private final int maxTokens;
    private final Unit unit;
    private final long total;
    private final long cut;
    private final long queriesCut;
    private final boolean known;
    private final int[] byPassage;
    private final Map<String, Map<Integer, Integer>> byPair;

    /** What is counted. */
    public enum Unit {
        /** A passage is encoded by itself, once. */
        PASSAGES,
        /** A passage is read together with a query, and what fits depends on both. */
        PAIRS
    }

    private Coverage(
            String stage,
            int maxTokens,
            Unit unit,
            long total,
            long cut,
            long queriesCut,
            boolean known,
            int[] byPassage,
            Map<String, Map<Integer, Integer>> byPair) {
        this.stage = stage;
        this.maxTokens = maxTokens;
        this.unit = unit;
        this.total = total;
        this.cut = cut;
        this.queriesCut = queriesCut;
        this.known = known;
        this.byPassage = byPassage;
        this.byPair = byPair;
    }

    /**
     * Of passages that were encoded one by one.
     *
     * @param stage the model
     * @param maxTokens its limit
     * @param seen for each passage by ordinal, how many UTF-16 units of its text (without title) were seen, or
     *     {@link #WHOLE}, {@link #UNKNOWN} or {@link #NEVER_READ}
     * @param queriesCut how many queries were cut
     */
    static Coverage ofPassages(String stage, int maxTokens, int[] seen, long queriesCut) {
        long read = 0;
        long cut = 0;
        boolean known = true;
        for (int one : seen) {
            read += one != NEVER_READ ? 1 : 0;
            cut += one >= 0 ? 1 : 0;
            known &= one != UNKNOWN;
        }
        return new Coverage(stage, maxTokens, Unit.PASSAGES, read, cut, queriesCut, known, seen.clone(), Map.of());
    }

    /**
     * Of pairs.
     *
     * @param pairs how many there were
     * @param pairsCut how many were cut
     * @param cut for each query the relevant passages that were cut, with the UTF-16 units of their text that were seen
     * @param known whether the model tells; false for vendors
     */
    static Coverage ofPairs(
            String stage,
            int maxTokens,
            long pairs,
            long pairsCut,
            Map<String, Map<Integer, Integer>> cut,
            long queriesCut,
            boolean known) {
        return new Coverage(
                stage, maxTokens, Unit.PAIRS, pairs, pairsCut, queriesCut, known, new int[0], new HashMap<>(cut));
    }

    /** The model. */
    public String stage() {
        return stage;
    }

    /** Its limit of tokens. */
    public int maxTokens() {
        return maxTokens;
    }

    /** What {@link #total} and {@link #cut} count. */
    public Unit unit() {
        return unit;
    }

    /** How many texts or pairs there were. */
    public long total() {
        return total;
    }

    /** How many of them were cut. */
    public long cut() {
        return cut;
    }

    /** How many queries were cut themselves. */
    public long queriesCut() {
        return queriesCut;
    }

    /** Whether the model tells what it saw. */
    public boolean isKnown() {
        return known;
    }

    /**
     * How many UTF-16 units of a passage's text were seen for a query.
     *
     * @return {@link #WHOLE} for all of them, {@link #UNKNOWN} where nobody tells
     */
    public int seen(String query, int passage) {
        if (!known) {
            return UNKNOWN;
        }
        if (unit == Unit.PASSAGES) {
            return byPassage[passage];
        }
        return byPair.getOrDefault(query, Map.of()).getOrDefault(passage, WHOLE);
    }
}

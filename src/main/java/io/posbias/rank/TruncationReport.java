package io.posbias.rank;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Truncation of texts by a model's token limit. A model that never read the evidence is not biased against it.
 *
 * @param stage the model's name
 * @param maxTokens its limit
 * @param unit counted by {@code total} and {@code cut}
 * @param total texts or pairs
 * @param cut truncated texts or pairs
 * @param queriesCut truncated queries
 * @param known false for services that truncate silently
 * @param byPassage for passages: UTF-16 units read of each text (without title) by ordinal, or {@link #WHOLE}, {@link
 *     #UNKNOWN} or {@link #NEVER_READ}
 * @param byPair for pairs: UTF-16 units read of the truncated relevant passages, by query
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; a list would box every passage
public record TruncationReport(
        String stage,
        int maxTokens,
        Unit unit,
        long total,
        long cut,
        long queriesCut,
        boolean known,
        int[] byPassage,
        Map<String, Map<Integer, Integer>> byPair) {
    /** The text was not truncated. */
    public static final int WHOLE = -1;

    /** The service may truncate without reporting it. */
    public static final int UNKNOWN = -2;

    /** No earlier stage returned the passage. */
    public static final int NEVER_READ = -3;

    public enum Unit {
        /** A passage is encoded by itself, once. */
        PASSAGES,
        /** A passage is read together with a query, so truncation depends on both. */
        PAIRS
    }

    /**
     * Converts units read of title and text to units read of the text.
     *
     * @param lead UTF-16 units of the title
     * @param seen units read, or a negative mark, which is returned
     */
    public static int ofText(int lead, int seen) {
        return seen < 0 ? seen : Math.max(0, seen - lead);
    }

    /**
     * Reports passages that were encoded one by one.
     *
     * @param seen as {@link #byPassage}
     */
    public static TruncationReport ofPassages(String stage, int maxTokens, int[] seen, long queriesCut) {
        long read = Arrays.stream(seen).filter(one -> one != NEVER_READ).count();
        long cut = Arrays.stream(seen).filter(one -> one >= 0).count();
        boolean known = Arrays.stream(seen).noneMatch(one -> one == UNKNOWN);
        return new TruncationReport(stage, maxTokens, Unit.PASSAGES, read, cut, queriesCut, known, seen, Map.of());
    }

    /** Returns this under another name. */
    public TruncationReport named(String name) {
        return new TruncationReport(name, maxTokens, unit, total, cut, queriesCut, known, byPassage, byPair);
    }

    /** Adds a report of the same model on other queries of the same corpus. */
    public TruncationReport plus(TruncationReport other) {
        if (unit == Unit.PASSAGES) {
            int[] seen = byPassage.clone();
            Arrays.setAll(seen, passage -> seen[passage] == NEVER_READ ? other.byPassage[passage] : seen[passage]);
            return ofPassages(stage, maxTokens, seen, queriesCut + other.queriesCut);
        }
        Map<String, Map<Integer, Integer>> pairs = new HashMap<>(byPair);
        pairs.putAll(other.byPair);
        return new TruncationReport(
                stage,
                maxTokens,
                unit,
                total + other.total,
                cut + other.cut,
                queriesCut + other.queriesCut,
                known && other.known,
                byPassage,
                pairs);
    }

    /**
     * Returns the UTF-16 units of a passage's text that were read for a query, or {@link #WHOLE} or {@link #UNKNOWN}.
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

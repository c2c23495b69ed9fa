package io.posbias.rank;

import io.posbias.base.text.Plural;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Numbers of a search that posbias reads again. A result names them by their keys; a count of 0 is left out. */
public enum SearchStat {
    /** Average vectors or windows per passage; 1 if missing. */
    VECTORS("vectors_per_passage"),
    /** Vector bytes per passage, if not vectors times the size of one; 0 if unknown. */
    BYTES("vector_bytes_per_passage"),
    /** Judged queries that a run lacks. */
    LACKING("queries_without_hits"),
    BLANK("blank_passages", true, "blank passage", "%s not sent to the service, and never retrieved"),
    CUT_BY_ESTIMATE(
            "texts_cut_by_estimate",
            true,
            "text",
            "%s over max-tokens cut before they were sent, by an estimate of their tokens"),
    CUT_BY_TOKENIZER(
            "texts_cut_by_tokenizer",
            true,
            "text",
            "%s over max-tokens cut before they were sent, by the tokenizer of the recipe"),
    ZEROS("zero_vectors", true, "text", "zero vectors for %s of the corpus: score 0 for every query"),
    QUERY_ZEROS("zero_query_vectors", true, "query", "zero vectors for %s: score 0 for every passage"),
    RISING(
            "queries_with_rising_scores",
            false,
            "query",
            "scores rise with the rank for %s, as distances do: the last is ranked first; --by-rank scores by the ranks"),
    CONTRADICTING(
            "queries_with_contradicting_ranks",
            false,
            "query",
            "scores contradict the ranks for %s, and scores count; --by-rank scores by the ranks"),
    OTHER_QUERIES("queries_not_judged", false, "query", "%s of the run without judgements, not scored");

    private final String key;
    private final boolean isSummed;
    private final String unit;
    private final @Nullable String sentence;

    SearchStat(String key) {
        this(key, false, "", null);
    }

    SearchStat(String key, boolean isSummed, String unit, @Nullable String sentence) {
        this.key = key;
        this.isSummed = isSummed;
        this.unit = unit;
        this.sentence = sentence;
    }

    /** Returns the name in results. */
    public String key() {
        return key;
    }

    /** Returns the number, or another one if it is missing. */
    public double in(Map<String, Double> stats, double missing) {
        return stats.getOrDefault(key, missing);
    }

    /** Adds a count, unless it is 0. */
    public void put(long count, Map<String, Double> stats) {
        if (count > 0) {
            stats.put(key, (double) count);
        }
    }

    /** Returns what a count means for the numbers of a result; empty for 0, and for numbers that a table explains. */
    public Optional<String> sentence(Map<String, Double> stats) {
        long count = (long) in(stats, 0);
        return count > 0 && sentence != null
                ? Optional.of(sentence.replace("%s", Plural.of(count, unit)))
                : Optional.empty();
    }

    /** Returns true for a key of counts, which are summed over several models. */
    public static boolean isSummed(String key) {
        return Arrays.stream(values()).anyMatch(stat -> stat.key.equals(key) && stat.isSummed);
    }

    /** Returns true for a key of counts that are told in a sentence. */
    public static boolean isTold(String key) {
        return Arrays.stream(values())
                .anyMatch(stat -> stat.key.equals(key) && (stat.sentence != null || stat == LACKING));
    }
}

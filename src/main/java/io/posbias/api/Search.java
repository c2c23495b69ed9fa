package io.posbias.api;

import java.util.ArrayList;
import java.util.List;

/** A search engine as a test sees it. */
@FunctionalInterface
public interface Search {
    /**
     * A passage found.
     *
     * @param passage its identifier in the benchmark
     * @param score higher is better; compared as a 32-bit float, as trec_eval does, and of equal scores the passage whose
     *     identifier is later comes first
     */
    record Hit(String passage, double score) {}

    /**
     * Answers a query. Called once for each judged query, in the benchmark's order, from the thread that evaluates.
     *
     * @param query its text
     * @param k how many passages are looked at; further ones are left out
     * @return passages in any order, each once; fewer than {@code k} where fewer match
     */
    List<Hit> search(String query, int k);

    /** Passages of a ranking without scores, the best first. */
    static List<Hit> ranked(List<String> passages) {
        List<Hit> hits = new ArrayList<>();
        for (String passage : passages) {
            hits.add(new Hit(passage, passages.size() - (double) hits.size()));
        }
        return hits;
    }
}

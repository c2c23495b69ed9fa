package io.posbias.api;

import java.util.ArrayList;
import java.util.List;

/** A search engine under test. */
@FunctionalInterface
public interface Search {
    /**
     * A retrieved passage.
     *
     * @param score higher is better; compared as 32-bit floats, ties go to the later identifier, as in trec_eval
     */
    record Hit(String passage, double score) {}

    /**
     * Searches for a query; called once per judged query, in order, on the evaluating thread.
     *
     * @param k cutoff
     * @return distinct passages in any order
     */
    List<Hit> search(String query, int k);

    /** Assigns scores to a ranking, best first. */
    static List<Hit> ranked(List<String> passages) {
        List<Hit> hits = new ArrayList<>();
        for (String passage : passages) {
            hits.add(new Hit(passage, passages.size() - (double) hits.size()));
        }
        return hits;
    }
}

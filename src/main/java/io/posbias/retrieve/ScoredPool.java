package io.posbias.retrieve;

import io.posbias.dataset.Query;
import java.util.List;

/**
 * Candidates with their scores.
 *
 * @param run one ranking for each query of the pool, of all its candidates
 * @param coverages what each model saw of the texts
 */
public record ScoredPool(Run run, List<Coverage> coverages) {
    /** Copies the list. */
    public ScoredPool {
        coverages = List.copyOf(coverages);
    }

    /** What a searcher gives to candidates that it is given in place of a first stage's. */
    static ScoredPool of(Searcher searcher, List<Query> queries) {
        Run run = searcher.search(queries, Integer.MAX_VALUE);
        return new ScoredPool(run, searcher.account().coverages());
    }
}

package io.posbias.retrieve;

import io.posbias.dataset.Query;
import java.util.List;

/** What a retriever gave: its rankings, and what there is to tell besides. */
public record Found(Run run, Account account) {
    /** What a searcher finds for queries, at most {@code k} passages each. */
    public static Found by(Searcher searcher, List<Query> queries, int k) {
        Run run = searcher.search(queries, k);
        return new Found(run, searcher.account());
    }
}

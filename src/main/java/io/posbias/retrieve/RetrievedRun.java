package io.posbias.retrieve;

import io.posbias.dataset.Query;
import java.util.List;

/** What a retriever gave: its rankings, and what there is to tell besides. */
public record RetrievedRun(Run run, SearchReport report) {
    /** What a searcher finds for queries, at most {@code k} passages each. */
    public static RetrievedRun by(Searcher searcher, List<Query> queries, int k) {
        Run run = searcher.search(queries, k);
        return new RetrievedRun(run, searcher.report());
    }
}

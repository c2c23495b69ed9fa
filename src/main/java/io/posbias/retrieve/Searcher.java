package io.posbias.retrieve;

import io.posbias.dataset.Query;
import java.util.List;

/** A retriever that has seen its corpus. */
public interface Searcher extends AutoCloseable {
    /**
     * Answers queries.
     *
     * @param queries what is asked
     * @param k how many passages a ranking holds at most, at least 1
     * @return one ranking for each query, in their order; fewer than {@code k} hits where fewer passages match
     * @throws io.posbias.PosbiasException if a query cannot be answered, naming it; no partial run is returned
     */
    Run search(List<Query> queries, int k);

    /**
     * What there is to tell besides the rankings, after {@link #search}: what was cut off, what a first stage left out.
     */
    default SearchReport report() {
        return SearchReport.NONE;
    }

    @Override
    void close();
}

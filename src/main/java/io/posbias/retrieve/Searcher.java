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

    /** The same, skipping the passages that a query excludes: rankings still have {@code k} others. */
    default Searcher withoutExcluded() {
        Searcher all = this;
        return new Searcher() {
            @Override
            public Run search(List<Query> queries, int k) {
                int most = queries.stream()
                        .mapToInt(query -> query.excluded().size())
                        .max()
                        .orElse(0);
                Run found = all.search(queries, k + most);
                return most == 0 ? found : found.withoutExcluded(queries).top(k);
            }

            @Override
            public SearchReport report() {
                return all.report();
            }

            @Override
            public void close() {
                all.close();
            }
        };
    }

    @Override
    void close();
}

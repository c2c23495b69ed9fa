package io.posbias.model.retrieve;

import io.posbias.data.dataset.Query;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import java.util.List;

/** Retriever with an indexed corpus. */
public interface Searcher extends AutoCloseable {
    /**
     * Answers queries.
     *
     * @param k maximum hits per query, at least 1
     * @return one ranking per query, in their order
     * @throws io.posbias.base.process.PosbiasException if a query cannot be answered, naming it; partial runs are never returned
     */
    Run search(List<Query> queries, int k);

    /** Reports on the last {@link #search}: truncation, first stage. */
    default SearchReport report() {
        return SearchReport.NONE;
    }

    /** Returns a searcher that skips passages excluded by a query and still returns {@code k} others. */
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

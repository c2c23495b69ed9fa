package io.posbias.model.retrieve;

import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Query;
import io.posbias.rank.RetrievedRun;
import java.util.List;
import java.util.function.BiFunction;

/** Retriever with an indexed corpus. */
public interface Searcher extends AutoCloseable {
    /**
     * Creates a searcher.
     *
     * @param search as {@link #search}
     * @param opened closed with the searcher, in this order
     */
    static Searcher of(BiFunction<List<Query>, Integer, RetrievedRun> search, Closing.Close... opened) {
        return new Searcher() {
            @Override
            public RetrievedRun search(List<Query> queries, int k) {
                return search.apply(queries, k);
            }

            @Override
            public void close() {
                List.of(opened).forEach(Closing.Close::close);
            }
        };
    }

    /**
     * Answers queries.
     *
     * @param k maximum hits per query, at least 1
     * @return one ranking per query, in their order, and the report on these queries
     * @throws io.posbias.base.process.PosbiasException if a query cannot be answered, naming it; partial runs are never returned
     */
    RetrievedRun search(List<Query> queries, int k);

    /** Returns a searcher that skips passages excluded by a query and still returns {@code k} others. */
    default Searcher withoutExcluded() {
        return of(
                (queries, k) -> {
                    int most = queries.stream()
                            .mapToInt(query -> query.excluded().size())
                            .max()
                            .orElse(0);
                    RetrievedRun found = search(queries, k + most);
                    return most == 0
                            ? found
                            : new RetrievedRun(found.run().withoutExcluded(queries), found.report()).top(k);
                },
                this::close);
    }

    @Override
    void close();
}

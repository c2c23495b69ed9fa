package io.posbias.model.retrieve;

import io.posbias.base.process.Parallel;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.data.dataset.Query;
import io.posbias.model.retrieve.text.Terms;
import io.posbias.rank.BestHits;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;

/**
 * Exact BM25 search, term by term: sums each query term's contributions in double precision, as Lucene does, and keeps
 * the best {@code k} passages. A repeated query term counts as often.
 *
 * <p>For corpora of some ten thousand passages this is several times faster than skipping through posting lists, and
 * exact: all matching passages compete, ties included.
 */
record Bm25Searcher(Bm25Index index, Analyzer analyzer, int threads, Progress progress) implements Searcher {
    private static final int CHUNK = 64;

    @Override
    public RetrievedRun search(List<Query> queries, int k) {
        Ranking[] rankings = new Ranking[queries.size()];
        try (Progress.Step step = progress.start("search with bm25", queries.size())) {
            Parallel.forChunks(threads, queries.size(), CHUNK, () -> {
                Worker worker = new Worker(k);
                return (from, to) -> {
                    for (int i = from; i < to; i++) {
                        rankings[i] = worker.search(queries.get(i));
                    }
                    step.advance(to - from);
                };
            });
        }
        Run run = new Run(index.passages(), queries.stream().map(Query::id).toList(), Arrays.asList(rankings));
        return new RetrievedRun(run);
    }

    @Override
    public void close() {
        index.close();
        analyzer.close();
    }

    private final class Worker {
        private final double[] sums = new double[index.passages().size()];
        private final BestHits best;

        Worker(int k) {
            best = BestHits.positive(Math.min(k, sums.length));
        }

        Ranking search(Query query) {
            try {
                for (Map.Entry<String, Integer> term : terms(query.text()).entrySet()) {
                    index.postings(term.getKey()).addTo(sums, term.getValue());
                }
            } catch (IOException | RuntimeException failure) {
                throw new PosbiasException("query " + query.id() + " failed: " + failure, failure);
            }
            return best.takeBest(sums);
        }

        /** Counts terms, in the order of the query. */
        private Map<String, Integer> terms(String text) {
            Map<String, Integer> terms = new LinkedHashMap<>();
            Terms.of(text, analyzer).forEach(term -> terms.merge(term, 1, Integer::sum));
            return terms;
        }
    }
}

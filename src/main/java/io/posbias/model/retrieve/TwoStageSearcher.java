package io.posbias.model.retrieve;

import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.Engine;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import io.posbias.rank.Truncations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Scores a first stage's candidates, or every passage without one. */
public final class TwoStageSearcher implements Searcher {
    private final Dataset dataset;
    private final @Nullable FirstStage stage;
    private final @Nullable Searcher first;
    private final PoolScorer second;
    private final int mostHits;
    private SearchReport report = SearchReport.NONE;

    /**
     * @param mostHits maximum hits in memory if every passage is scored
     */
    public TwoStageSearcher(
            Dataset dataset, @Nullable FirstStage stage, @Nullable Searcher first, PoolScorer second, int mostHits) {
        this.dataset = dataset;
        this.stage = stage;
        this.first = first;
        this.second = second;
        this.mostHits = mostHits;
    }

    /**
     * Opens both stages.
     *
     * @param stage null to score every passage
     * @param scorer closed with the searcher
     */
    public static TwoStageSearcher open(
            Dataset dataset, @Nullable FirstStage stage, Supplier<PoolScorer> scorer, Engine engine) {
        PoolScorer second = scorer.get();
        Searcher first = stage == null ? null : Closing.onFailure(() -> stage.open(dataset, engine), second::close);
        return new TwoStageSearcher(dataset, stage, first, second, Run.MOST_HITS);
    }

    @Override
    public Run search(List<Query> queries, int k) {
        int passages = dataset.passages().size();
        int block = first == null ? Math.max(1, mostHits / Math.max(1, passages)) : Math.max(1, queries.size());
        List<Ranking> rankings = new ArrayList<>();
        Truncations truncations = Truncations.NONE;
        for (int from = 0; from < queries.size(); from += block) {
            List<Query> some = queries.subList(from, Math.min(from + block, queries.size()));
            Run pool = first == null || stage == null ? all(some) : first.search(some, stage.depth());
            RetrievedRun found = second.score(dataset, pool);
            Run top = found.run().top(k);
            IntStream.range(0, top.queries().size()).mapToObj(top::ranking).forEach(rankings::add);
            truncations = truncations.plus(found.report().truncations());
            report = reported(found.report().with(truncations.withoutFirstStage()), pool);
        }
        return new Run(dataset.passages().ids(), queries.stream().map(Query::id).toList(), rankings);
    }

    private Run all(List<Query> queries) {
        int passages = dataset.passages().size();
        List<Ranking> rankings = queries.stream()
                .map(query -> Ranking.of(IntStream.range(0, passages).toArray(), new float[passages]))
                .toList();
        return new Run(dataset.passages().ids(), queries.stream().map(Query::id).toList(), rankings);
    }

    /**
     * @param scored truncation and usage of all blocks
     */
    private SearchReport reported(SearchReport scored, Run pool) {
        if (first == null || stage == null) {
            return scored;
        }
        SearchReport found = first.report();
        Map<String, Double> searchStats = new LinkedHashMap<>(found.searchStats());
        searchStats.putAll(scored.searchStats());
        return new SearchReport(
                scored.truncations().after(found.truncations()),
                new SearchReport.FirstStage(stage.recipe().name(), stage.depth(), pool),
                searchStats,
                SearchReport.together(found.usage(), scored.usage()));
    }

    @Override
    public SearchReport report() {
        return report;
    }

    @Override
    public void close() {
        if (first != null) {
            first.close();
        }
        second.close();
    }
}

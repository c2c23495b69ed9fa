package io.posbias.model.retrieve;

import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.Engine;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
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
    public RetrievedRun search(List<Query> queries, int k) {
        if (first == null || stage == null) {
            return Pool.inBlocks(
                    dataset,
                    queries,
                    mostHits,
                    some -> second.score(dataset, all(some)).top(k));
        }
        RetrievedRun found = first.search(queries, stage.depth());
        RetrievedRun scored = second.score(dataset, found.run()).top(k);
        Map<String, Double> searchStats = new LinkedHashMap<>(found.report().searchStats());
        searchStats.putAll(scored.report().searchStats());
        return new RetrievedRun(
                scored.run(),
                new SearchReport(
                        scored.report().truncations().after(found.report().truncations()),
                        new SearchReport.FirstStage(stage.recipe().name(), stage.depth(), found.run()),
                        searchStats,
                        SearchReport.together(
                                found.report().usage(), scored.report().usage())));
    }

    private Run all(List<Query> queries) {
        int passages = dataset.passages().size();
        List<Ranking> rankings = queries.stream()
                .map(query -> Ranking.of(IntStream.range(0, passages).toArray(), new float[passages]))
                .toList();
        return Run.of(dataset, queries, rankings);
    }

    @Override
    public void close() {
        if (first != null) {
            first.close();
        }
        second.close();
    }
}

package io.posbias.model.retrieve;

import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Dataset;
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

/** Searches in two stages. */
public final class TwoStageSearcher {
    private TwoStageSearcher() {}

    /**
     * Opens a searcher that scores a first stage's candidates, or every passage without one.
     *
     * @param stage null to score every passage
     * @param scorer closed with the searcher
     */
    public static Searcher open(
            Dataset dataset, @Nullable FirstStage stage, Supplier<PoolScorer> scorer, Engine engine) {
        PoolScorer second = scorer.get();
        if (stage == null) {
            return ofAll(dataset, second, Run.MOST_HITS);
        }
        Searcher first = Closing.onFailure(() -> stage.open(dataset, engine), second::close);
        return Searcher.of(
                (queries, k) -> {
                    RetrievedRun found = first.search(queries, stage.depth());
                    RetrievedRun scored = second.score(dataset, found.run()).top(k);
                    return new RetrievedRun(scored.run(), report(stage, found, scored.report()));
                },
                first::close,
                second::close);
    }

    /**
     * Returns a searcher that scores every passage.
     *
     * @param most maximum hits in memory, except for a single query
     */
    public static Searcher ofAll(Dataset dataset, PoolScorer scorer, int most) {
        int passages = dataset.passages().size();
        return Searcher.of(
                (all, k) -> Pool.inBlocks(dataset, all, most, queries -> {
                    List<Ranking> every = queries.stream()
                            .map(query ->
                                    Ranking.of(IntStream.range(0, passages).toArray(), new float[passages]))
                            .toList();
                    return scorer.score(dataset, Run.of(dataset, queries, every))
                            .top(k);
                }),
                scorer::close);
    }

    private static SearchReport report(FirstStage stage, RetrievedRun found, SearchReport scored) {
        Map<String, Double> searchStats = new LinkedHashMap<>(found.report().searchStats());
        searchStats.putAll(scored.searchStats());
        return new SearchReport(
                scored.truncations().after(found.report().truncations()),
                new SearchReport.FirstStage(stage.recipe().name(), stage.depth(), found.run()),
                searchStats,
                SearchReport.together(found.report().usage(), scored.usage()));
    }
}

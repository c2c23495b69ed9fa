package io.posbias.model.strategy;

import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Preview;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import io.posbias.rank.SearchStat;
import io.posbias.rank.Ties;
import io.posbias.rank.Truncations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Fusion of several retrievers' rankings.
 *
 * @param recipes at least two, the wrapped model first
 * @param depth maximum passages of each ranking
 */
record FusedRetriever(Recipe recipe, List<Recipe> recipes, Fusion fusion, int depth) implements Retriever {
    private List<Retriever> retrievers() {
        return recipes.stream().map(Recipe::retriever).toList();
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        List<Searcher> searchers = new ArrayList<>();
        Closing.Close all = () -> searchers.forEach(Searcher::close);
        for (Retriever retriever : retrievers()) {
            searchers.add(Closing.onFailure(() -> retriever.open(dataset, engine), all));
        }
        return Searcher.of(
                (queries, k) -> {
                    List<RetrievedRun> found = searchers.stream()
                            .map(searcher -> searcher.search(queries, Math.max(depth, k)))
                            .toList();
                    Run run = fused(found.stream().map(RetrievedRun::run).toList());
                    return new RetrievedRun(run, searched(found)).top(k);
                },
                all);
    }

    private Run fused(List<Run> runs) {
        Run first = runs.getFirst();
        for (int part = 0; part < runs.size(); part++) {
            // Ranks of a fusion differ where all scores of a part are equal.
            Ties.refuseAll(recipes.get(part).name(), runs.get(part));
        }
        List<Ranking> rankings = IntStream.range(0, first.queries().size())
                .mapToObj(query ->
                        fusion.fuse(runs.stream().map(run -> run.ranking(query)).toList(), null))
                .toList();
        return new Run(first.passages(), first.queries(), rankings);
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        List<PoolScorer> scorers = new ArrayList<>();
        Closing.Close all = () -> scorers.forEach(PoolScorer::close);
        for (Retriever retriever : retrievers()) {
            scorers.add(Closing.onFailure(() -> retriever.scorer(corpus, engine), all));
        }
        return PoolScorer.of(
                (texts, pool) -> scored(
                        scorers.stream()
                                .map(scorer -> scorer.score(texts, pool))
                                .toList(),
                        pool),
                all);
    }

    /** Fuses scores of candidates, which all keep a score; ranks and score ranges are those among the candidates. */
    private RetrievedRun scored(List<RetrievedRun> found, Run pool) {
        List<Boolean> finds = recipes.stream().map(Recipe::countsWords).toList();
        List<Ranking> rankings = IntStream.range(0, pool.queries().size())
                .mapToObj(query -> fusion.fuse(
                        IntStream.range(0, found.size())
                                .mapToObj(one -> found(found.get(one).run().ranking(query), finds.get(one)))
                                .toList(),
                        pool.ranking(query).passages()))
                .toList();
        return new RetrievedRun(new Run(pool.passages(), pool.queries(), rankings), searched(found));
    }

    /**
     * @param finds true for retrievers of matching passages only: others have a score of 0 in a pool
     */
    private static Ranking found(Ranking pool, boolean finds) {
        int hits = pool.size();
        while (finds && hits > 0 && pool.score(hits - 1) <= 0) {
            hits--;
        }
        return pool.top(hits);
    }

    /** Adds the vectors and bytes of all parts, if several have vectors. */
    private SearchReport searched(List<RetrievedRun> found) {
        List<SearchReport> reports = found.stream().map(RetrievedRun::report).toList();
        SearchReport all = reported(reports);
        double vectors = 0;
        double bytes = 0;
        int parts = 0;
        for (int i = 0; i < reports.size(); i++) {
            Map<String, Double> searchStats = reports.get(i).searchStats();
            double each = recipes.get(i).vectorBytes();
            boolean has = each > 0 || retrievers().get(i).model().orElse(null) instanceof Model.Encoder;
            double own = SearchStat.VECTORS.in(searchStats, has ? 1 : 0);
            double size = SearchStat.BYTES.in(searchStats, own * each);
            vectors += own;
            // One part of unknown size makes the sum unknown.
            bytes += has && size == 0 ? Double.NaN : size;
            parts += own > 0 ? 1 : 0;
        }
        if (parts < 2) {
            return all;
        }
        Map<String, Double> searchStats = new LinkedHashMap<>(all.searchStats());
        searchStats.put(SearchStat.VECTORS.key(), vectors);
        searchStats.put(SearchStat.BYTES.key(), Double.isNaN(bytes) ? 0 : bytes);
        return new SearchReport(all.truncations(), null, searchStats, all.usage());
    }

    private static SearchReport reported(List<SearchReport> reports) {
        Truncations truncations = Truncations.NONE;
        Map<String, Double> searchStats = new LinkedHashMap<>();
        Map<String, Number> usage = Map.of();
        for (SearchReport report : reports) {
            truncations = truncations.and(report.truncations());
            // The recall of approximate indexes is that of the worst part.
            report.searchStats()
                    .forEach((name, value) ->
                            searchStats.merge(name, value, SearchStat.isSummed(name) ? Double::sum : Math::min));
            usage = SearchReport.together(usage, report.usage());
        }
        return new SearchReport(truncations, null, searchStats, usage);
    }

    /** Previews all models; empty if the truncation of one is unknown. Parts that count words read all. */
    @Override
    public Optional<Preview> preview() {
        List<Preview> previews = new ArrayList<>();
        for (Recipe part : recipes) {
            Optional<Preview> own = part.retriever().preview();
            if (own.isEmpty() && (part.callsService() || !part.countsWords())) {
                return Optional.empty();
            }
            own.ifPresent(previews::add);
        }
        return previews.isEmpty()
                ? Optional.empty()
                : Optional.of((dataset, engine) -> reported(
                        previews.stream().map(one -> one.of(dataset, engine)).toList()));
    }

    @Override
    public CallEstimate calls(Dataset dataset, @Nullable Run pool, Engine engine) {
        return retrievers().stream()
                .map(retriever -> retriever.calls(dataset, pool, engine))
                .reduce(CallEstimate.NONE, CallEstimate::plus);
    }
}

package io.posbias.model.strategy;

import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.FirstStage;
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
import io.posbias.rank.Truncations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Retriever of passages by their windows. The inner retriever searches a corpus of windows. With a first stage, all
 * windows of its candidates are scored instead.
 */
class WindowedRetriever implements Retriever {
    /** Factor of the depth if the first windows belong to too few passages. */
    private static final int DEEPER = 4;

    private final Recipe recipe;
    private final Retriever inner;
    private final WindowScore score;
    private final BiFunction<Dataset, Engine, Windows> cutter;

    WindowedRetriever(Recipe recipe, Retriever inner, WindowScore score, BiFunction<Dataset, Engine, Windows> cutter) {
        this.recipe = recipe;
        this.inner = inner;
        this.score = score;
        this.cutter = cutter;
    }

    Retriever inside(Windows windows) {
        return inner;
    }

    final Windows cut(Dataset dataset, Engine engine) {
        return cutter.apply(dataset, engine);
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        FirstStage stage = inner.firstStage().orElse(null);
        if (stage != null) {
            return stage.open(dataset, () -> scorer(dataset, engine), engine);
        }
        Windows windows = cut(dataset, engine);
        Searcher searcher = inside(windows).open(windows.dataset(), engine);
        return Searcher.of((queries, k) -> search(dataset, windows, searcher, queries, k), searcher::close);
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        Windows counted = recipe.countsWords() ? cut(corpus, engine) : null;
        PoolScorer scorer = inner.scorer(counted == null ? corpus : counted.dataset(), engine);
        return PoolScorer.perTexts(
                corpus,
                texts -> {
                    Windows windows = counted != null && texts.isSame(corpus) ? counted : cut(texts, engine);
                    return scorer(windows, scorer);
                },
                scorer::close);
    }

    /** @param scorer of windows */
    final PoolScorer scorer(Windows windows, PoolScorer scorer, Closing.Close... opened) {
        return PoolScorer.of(
                (texts, pool) -> passages(windows, scorer.score(windows.dataset(), windows.expand(pool)), pool),
                opened);
    }

    @Override
    public Optional<Model> model() {
        return inner.model().map(model -> model instanceof Model.Encoder encoder ? encoder.withoutVectors() : model);
    }

    @Override
    public Optional<FirstStage> firstStage() {
        return inner.firstStage();
    }

    /**
     * @param pool whose passages all get a score: windows that were not retrieved score 0
     */
    private RetrievedRun passages(Windows windows, RetrievedRun found, Run pool) {
        List<Ranking> rankings = IntStream.range(0, pool.queries().size())
                .mapToObj(query -> {
                    Ranking ranking = found.run().ranking(query);
                    return score.passages(ranking, windows);
                })
                .toList();
        return new RetrievedRun(new Run(pool.passages(), pool.queries(), rankings), report(windows, found.report()));
    }

    private SearchReport report(Windows windows, SearchReport inner) {
        Truncations truncations = inner.truncations().map(windows::truncation).named(recipe.name());
        return new SearchReport(truncations, null, searchStats(windows, inner), inner.usage());
    }

    /** Converts statistics per window into statistics per passage. */
    static Map<String, Double> searchStats(Windows windows, SearchReport inner) {
        Map<String, Double> searchStats = new LinkedHashMap<>(inner.searchStats());
        double each = (double) windows.size() / Math.max(1, windows.passages());
        searchStats.merge(SearchStat.VECTORS.key(), each, (inside, windowsEach) -> inside * windowsEach);
        searchStats.computeIfPresent(SearchStat.BYTES.key(), (name, inside) -> inside * each);
        return searchStats;
    }

    @Override
    public CallEstimate calls(Dataset dataset, @Nullable Run pool, Engine engine) {
        FirstStage stage = inner.firstStage().orElse(null);
        if (pool == null && stage != null) {
            return stage.calls(dataset, engine).plus(calls(dataset, stage.candidates(dataset, engine), engine));
        }
        Windows windows = cut(dataset, engine);
        return inner.calls(windows.dataset(), pool == null ? null : windows.expand(pool), engine);
    }

    @Override
    public Optional<Preview> preview() {
        return inner.preview().map(inside -> (dataset, engine) -> {
            Windows windows = cut(dataset, engine);
            SearchReport own = report(windows, inside.of(windows.dataset(), engine));
            return inner.firstStage()
                    .map(stage -> stage.preview(own, dataset, engine))
                    .orElse(own);
        });
    }

    private RetrievedRun search(Dataset dataset, Windows windows, Searcher searcher, List<Query> queries, int k) {
        Ranking[] done = new Ranking[queries.size()];
        SearchReport report = SearchReport.NONE;
        List<Integer> open = IntStream.range(0, done.length).boxed().toList();
        int first = depth(windows, k);
        for (int depth = first; !open.isEmpty(); depth = (int) Math.min(windows.size(), (long) DEEPER * depth)) {
            List<Integer> deeper = new ArrayList<>();
            int block = Math.max(1, Run.MOST_HITS / Math.max(1, depth));
            for (int from = 0; from < open.size(); from += block) {
                List<Integer> some = open.subList(from, Math.min(from + block, open.size()));
                RetrievedRun found =
                        searcher.search(some.stream().map(queries::get).toList(), depth);
                Truncations known = report.truncations();
                // Deeper rounds repeat queries.
                report = found.report()
                        .with(depth == first ? known.plus(found.report().truncations()) : known);
                for (int i = 0; i < some.size(); i++) {
                    Ranking settled = settled(found.run().ranking(i), windows, depth, k);
                    if (settled == null) {
                        deeper.add(some.get(i));
                    } else {
                        done[some.get(i)] = settled.top(k);
                    }
                }
            }
            open = deeper;
        }
        return new RetrievedRun(Run.of(dataset, queries, Arrays.asList(done)), report(windows, report));
    }

    /** Returns twice as many windows as {@code k} passages have on average, or all. */
    private int depth(Windows windows, int k) {
        long some = 2L * k * windows.size() / Math.max(1, windows.passages());
        return score.byFirst() ? Math.clamp(some, 1, Math.max(1, windows.size())) : windows.size();
    }

    /**
     * Returns the passages; null if unvisited windows might be among the first. Ties have the right order: windows are
     * in the order of their passages ({@link Windows}).
     */
    private @Nullable Ranking settled(Ranking found, Windows windows, int depth, int k) {
        boolean all = found.size() < depth || depth == windows.size();
        Ranking passages = score.passages(found, windows);
        return all || passages.size() >= k ? passages : null;
    }
}

package io.posbias.retrieve.strategy;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.retrieve.Coverage;
import io.posbias.retrieve.Ranking;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrievedRun;
import io.posbias.retrieve.Retriever;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.SearchReport;
import io.posbias.retrieve.Searcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Scores what the first stage of a retriever finds; every passage for a retriever without one. */
final class PoolSearcher implements Searcher {
    /** Hits held at a time: 512 MB of them. */
    static final int MOST_HITS = 1 << 26;

    private final Dataset dataset;
    private final @Nullable Recipe first;
    private final @Nullable Searcher stage;
    private final int depth;
    private final Scorer scorer;
    private final int mostHits;
    private SearchReport report = SearchReport.NONE;

    /** Scores candidates, each of which has a score then. */
    @FunctionalInterface
    interface Scorer {
        /** Scores the candidates of each query, whose own scores are not looked at. */
        RetrievedRun score(Run pool);
    }

    /** @param inner whose first stage it is */
    PoolSearcher(Dataset dataset, Retriever inner, Engine engine, Scorer scorer) {
        this(dataset, inner, engine, scorer, MOST_HITS);
    }

    /** @param mostHits hits held at a time where every passage is scored */
    PoolSearcher(Dataset dataset, Retriever inner, Engine engine, Scorer scorer, int mostHits) {
        this.dataset = dataset;
        this.first = inner.reading().firstStage();
        this.stage =
                first == null ? null : first.retriever().open(dataset, engine).withoutExcluded();
        this.depth = first == null ? dataset.passages().size() : inner.reading().depth();
        this.scorer = scorer;
        this.mostHits = mostHits;
    }

    /**
     * What such a search would report, as {@link SearchReport.Preview}.
     *
     * @param own of the candidates' scores
     */
    static SearchReport preview(SearchReport own, Retriever inner, Dataset dataset, Engine engine) {
        Recipe first = inner.reading().firstStage();
        List<Coverage> coverages =
                new ArrayList<>(own.coverages().stream().limit(1).toList());
        Optional.ofNullable(first)
                .flatMap(recipe -> recipe.retriever().preview())
                .ifPresent(
                        preview -> coverages.addAll(preview.of(dataset, engine).coverages()));
        return new SearchReport(coverages, null, own.figures(), own.effort());
    }

    @Override
    public Run search(List<Query> queries, int k) {
        int block = stage == null ? Math.max(1, mostHits / Math.max(1, depth)) : Math.max(1, queries.size());
        List<Ranking> rankings = new ArrayList<>();
        long queriesCut = 0;
        Map<String, Number> effort = Map.of();
        for (int from = 0; from < queries.size(); from += block) {
            Run pool = candidates(queries.subList(from, Math.min(from + block, queries.size())));
            RetrievedRun found = scorer.score(pool);
            Run top = found.run().top(k);
            IntStream.range(0, top.queries().size()).mapToObj(top::ranking).forEach(rankings::add);
            queriesCut += found.report().coverages().stream()
                    .limit(1)
                    .mapToLong(Coverage::queriesCut)
                    .sum();
            effort = SearchReport.together(effort, found.report().effort());
            report = reported(found.report(), pool, queriesCut, effort);
        }
        return new Run(dataset.passages().ids(), queries.stream().map(Query::id).toList(), rankings);
    }

    private Run candidates(List<Query> queries) {
        if (stage != null) {
            return stage.search(queries, depth);
        }
        int[] all = IntStream.range(0, depth).toArray();
        List<Ranking> rankings = queries.stream()
                .map(query -> Ranking.of(all.clone(), new float[depth]))
                .toList();
        return new Run(dataset.passages().ids(), queries.stream().map(Query::id).toList(), rankings);
    }

    /** @param effort of all blocks so far */
    private SearchReport reported(SearchReport own, Run pool, long queriesCut, Map<String, Number> effort) {
        List<Coverage> coverages = new ArrayList<>();
        own.coverages().stream().limit(1).forEach(coverage -> coverages.add(coverage.withQueriesCut(queriesCut)));
        if (stage == null || first == null) {
            return new SearchReport(coverages, null, own.figures(), effort);
        }
        coverages.addAll(stage.report().coverages());
        return new SearchReport(
                coverages,
                new SearchReport.FirstStage(first.name(), depth, pool),
                own.figures(),
                SearchReport.together(stage.report().effort(), effort));
    }

    @Override
    public SearchReport report() {
        return report;
    }

    @Override
    public void close() {
        if (stage != null) {
            stage.close();
        }
    }
}

package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.json.Setting;
import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.CallLimit;
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

/**
 * Retriever of the candidates that a second stage scores.
 *
 * @param depth maximum candidates per query; by default as in the SQuAD-PosQ and PosIR papers
 */
public record FirstStage(
        @Setting(usual = "bm25") @JsonProperty(FirstStage.FIELD)
        Recipe recipe,

        @Setting(usual = "" + FirstStage.DEPTH, least = 1) int depth) {
    static final String FIELD = "first-stage";
    static final int DEPTH = 100;
    static final String NO_SECOND = "a first stage cannot have one itself";

    public FirstStage {
        // A reranker has a first stage by default, which its record does not name.
        if (recipe.retriever().firstStage().isPresent()) {
            throw new Setting.Wrong(FIELD, "is " + recipe.name(), NO_SECOND);
        }
    }

    /**
     * Opens a search for candidates, without a query's excluded passages, that a second stage scores.
     *
     * @param scorer closed with the searcher
     */
    public Searcher open(Dataset dataset, Supplier<PoolScorer> scorer, Engine engine) {
        PoolScorer second = scorer.get();
        Searcher first =
                Closing.onFailure(() -> recipe.retriever().open(dataset, engine).withoutExcluded(), second::close);
        return Searcher.of(
                (queries, k) -> {
                    RetrievedRun found = first.search(queries, depth);
                    RetrievedRun scored = second.score(dataset, found.run()).top(k);
                    return new RetrievedRun(scored.run(), report(found, scored.report()));
                },
                first::close,
                second::close);
    }

    private SearchReport report(RetrievedRun found, SearchReport scored) {
        Map<String, Double> searchStats = new LinkedHashMap<>(found.report().searchStats());
        searchStats.putAll(scored.searchStats());
        return new SearchReport(
                scored.truncations().after(found.report().truncations()),
                new SearchReport.FirstStage(recipe.name(), depth, found.run()),
                searchStats,
                SearchReport.together(found.report().usage(), scored.usage()));
    }

    /** Replaces the first stage of a preview by this one. */
    public SearchReport preview(SearchReport second, Dataset dataset, Engine engine) {
        Truncations first = recipe.retriever()
                .preview()
                .map(preview -> preview.of(dataset, engine).truncations())
                .orElse(Truncations.NONE);
        return second.with(second.truncations().after(first));
    }

    public CallEstimate calls(Dataset dataset, Engine engine) {
        return recipe.retriever().calls(dataset, null, engine);
    }

    /**
     * Returns the candidates of the judged queries, if the first stage has no model and no calls; else a uniform
     * sample.
     */
    public Run candidates(Dataset dataset, Engine engine) {
        // A separate limit: other cells' estimates are not cached yet.
        Engine alone = engine.with(new CallLimit(0));
        if (!recipe.files().isEmpty() || calls(dataset, alone).calls() > 0) {
            return spread(dataset);
        }
        try (Searcher searcher = recipe.retriever().open(dataset, engine)) {
            return searcher.search(dataset.judgedQueries(), depth).run();
        }
    }

    /** Draws as many candidates as the first stage would return, evenly from the corpus. */
    private Run spread(Dataset dataset) {
        int passages = dataset.passages().size();
        int most = Math.min(depth, passages);
        List<Query> queries = dataset.judgedQueries();
        List<Ranking> rankings = new ArrayList<>(queries.size());
        for (int query = 0; query < queries.size(); query++) {
            int[] ordinals = new int[most];
            for (int i = 0; i < most; i++) {
                ordinals[i] = (int) (((long) i * passages / most + query) % passages);
            }
            rankings.add(Ranking.of(ordinals, new float[most]));
        }
        return Run.of(dataset, queries, rankings);
    }
}

package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Retriever of the candidates that a second stage scores.
 *
 * @param depth maximum candidates per query
 */
public record FirstStage(Recipe recipe, int depth) {
    static final String FIELD = "first-stage";

    static final List<String> FIELDS = List.of(FIELD, "depth");

    /** As in the SQuAD-PosQ and PosIR papers. */
    private static final int DEPTH = 100;

    /**
     * Reads the fields of a recipe.
     *
     * @param usual default first stage; empty if the field is required
     */
    static FirstStage of(Recipe second, String usual) {
        Fields fields = second.settings();
        int depth = fields.integer("depth", DEPTH);
        if (depth < 1) {
            throw fields.bad("depth", "is " + depth, "it must be at least 1");
        }
        Recipe first = fields.raw(FIELD) instanceof Map
                ? Recipe.read(StoredRun.completed(fields.record(FIELD)))
                : Recipe.find(usual.isEmpty() ? fields.text(FIELD) : fields.text(FIELD, usual));
        // A reranker has a first stage by default.
        if (first.name().equals(second.name())
                || first.settings().has(FIELD)
                || first.retriever() instanceof RerankRetriever) {
            throw fields.bad(FIELD, "is " + first.name(), "a first stage cannot have one itself");
        }
        return new FirstStage(first, depth);
    }

    /** Opens the search for candidates, without a query's excluded passages. */
    Searcher open(Dataset dataset, Engine engine) {
        return recipe.retriever().open(dataset, engine).withoutExcluded();
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
            return searcher.search(dataset.judgedQueries(), depth);
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

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
 * What finds the candidates that a second stage scores.
 *
 * @param recipe the retriever's recipe
 * @param depth how many passages of each ranking at most
 */
public record FirstStage(Recipe recipe, int depth) {
    static final List<String> FIELDS = List.of("first-stage", "depth");

    /** As the SQuAD-PosQ and PosIR papers re-rank. */
    private static final int DEPTH = 100;

    /**
     * Reads the fields of a recipe.
     *
     * @param usual the first stage of recipes that name none; empty where they must
     */
    static FirstStage of(Recipe second, String usual) {
        Fields fields = second.settings();
        int depth = fields.integer("depth", DEPTH);
        if (depth < 1) {
            throw fields.bad("depth", "is " + depth, "it must be at least 1");
        }
        Recipe first = fields.raw("first-stage") instanceof Map
                ? Recipe.read(fields.record("first-stage"))
                : Recipe.find(usual.isEmpty() ? fields.text("first-stage") : fields.text("first-stage", usual));
        // A reranker has one even where its recipe does not say which.
        if (first.name().equals(second.name())
                || first.settings().has("first-stage")
                || first.retriever() instanceof RerankRetriever) {
            throw fields.bad("first-stage", "is " + first.name(), "a first stage cannot have one itself");
        }
        return new FirstStage(first, depth);
    }

    /** Opens the search for candidates: a query's excluded passages are none. */
    Searcher open(Dataset dataset, Engine engine) {
        return recipe.retriever().open(dataset, engine).withoutExcluded();
    }

    /**
     * What both stages would read, as {@link SearchReport.Preview}.
     *
     * @param second of the scores; what it tells of more than one model is left out
     */
    public SearchReport preview(SearchReport second, Dataset dataset, Engine engine) {
        List<Coverage> coverages =
                new ArrayList<>(second.coverages().stream().limit(1).toList());
        recipe.retriever()
                .preview()
                .ifPresent(first -> coverages.addAll(first.of(dataset, engine).coverages()));
        return new SearchReport(coverages, null, second.figures(), second.effort());
    }

    /** What calls of services finding the candidates would take. */
    public CallEstimate calls(Dataset dataset, Engine engine) {
        return recipe.retriever().calls(dataset, null, engine);
    }

    /** The candidates of the judged queries where that takes no model and no call; else such as would be found. */
    public Run candidates(Dataset dataset, Engine engine) {
        // By itself: what another cell has counted is not there yet.
        Engine alone = engine.with(new CallLimit(0));
        if (!recipe.files().isEmpty() || calls(dataset, alone).calls() > 0) {
            return spread(dataset);
        }
        try (Searcher searcher = recipe.retriever().open(dataset, engine)) {
            return searcher.search(dataset.judgedQueries(), depth);
        }
    }

    /** As many candidates for each judged query as would be found, drawn evenly from the corpus. */
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

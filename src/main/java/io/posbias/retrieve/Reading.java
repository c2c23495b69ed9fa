package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a retriever reads of a benchmark, which its work grows with.
 *
 * @param unit of the work
 * @param depth candidates of each query, where a first stage finds them; else 0
 * @param firstStage the recipe that finds the candidates; null where there is none
 */
public record Reading(Unit unit, int depth, @Nullable Recipe firstStage) {
    /** What a model, or none, reads at once. */
    public enum Unit {
        /** Words are counted: no model reads. */
        WORDS,
        /** Every passage is read once, whatever is asked, and every query once. */
        TEXTS,
        /** Every candidate is read together with its query. */
        PAIRS
    }

    /**
     * What the first stage would call of services.
     *
     * @param calls that finding the candidates takes
     * @param candidates those that it finds, where that takes no model and no call; else such as it would find
     */
    public record FirstCalls(CallEstimate calls, Supplier<Run> candidates) {
        /** With those that scoring the candidates takes. */
        public CallEstimate then(Function<Run, CallEstimate> scoring) {
            return calls.plus(scoring.apply(candidates.get()));
        }
    }

    /**
     * What the first stage would call; empty where there is none.
     *
     * @param engine as in {@link Retriever#estimate(Dataset, Engine)}
     */
    public Optional<FirstCalls> estimateFirst(Dataset dataset, Engine engine) {
        if (firstStage == null) {
            return Optional.empty();
        }
        Retriever first = firstStage.retriever();
        CallEstimate calls = first.estimate(dataset, engine);
        return Optional.of(new FirstCalls(calls, () -> candidates(first, dataset, engine)));
    }

    private Run candidates(Retriever first, Dataset dataset, Engine engine) {
        // By itself: what another cell has counted is not there yet.
        Engine alone = engine.with(new CallLimit(0));
        if (!first.files().isEmpty() || first.estimate(dataset, alone).calls() > 0) {
            return spread(dataset);
        }
        try (Searcher searcher = first.open(dataset, engine)) {
            return searcher.search(dataset.judgedQueries(), depth);
        }
    }

    /** As many candidates for each judged query as the first stage would find, drawn evenly from the corpus: before it is asked. */
    Run spread(Dataset dataset) {
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

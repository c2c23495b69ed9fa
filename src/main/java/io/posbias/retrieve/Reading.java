package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a retriever reads of a benchmark, which its work grows with.
 *
 * @param unit of the work
 * @param depth candidates of each query, where a first stage finds them; else 0
 * @param firstStage the recipe that finds the candidates; null where there is none
 * @param changed whether it reads other texts than the passages as they are, such as windows of them
 */
public record Reading(Unit unit, int depth, @Nullable Recipe firstStage, boolean changed) {
    /** What a model, or none, reads at once. */
    public enum Unit {
        /** Words are counted: no model reads. */
        WORDS,
        /** Every passage is read once, whatever is asked, and every query once. */
        TEXTS,
        /** Every candidate is read together with its query. */
        PAIRS
    }

    /** The same of texts that are made from the passages. */
    public Reading ofChanged() {
        return new Reading(unit, depth, firstStage, true);
    }

    /**
     * Tells what the first stage would do, and gives candidates such as it would find; empty where there is none.
     *
     * @param engine as in {@link Retriever#outline(Dataset, Engine, Outline)}
     */
    public Optional<Run> outlineFirst(Dataset dataset, Engine engine, Outline to) {
        if (firstStage == null) {
            return Optional.empty();
        }
        firstStage.retriever().outline(dataset, engine, to);
        return Optional.of(spread(dataset));
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

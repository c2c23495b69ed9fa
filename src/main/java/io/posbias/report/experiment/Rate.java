package io.posbias.report.experiment;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Searcher;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Times of a recipe on a sample of a benchmark, measured after a warm-up and without cached vectors.
 *
 * @param passageSeconds to encode and index a passage
 * @param querySeconds to encode and answer a query
 */
public record Rate(Dataset sample, double seconds, double passageSeconds, double querySeconds) {
    private static final int PASSAGES = 256;

    private static final int FEW = 16;

    /** Seconds for the first few texts after which no more are measured. */
    private static final double PATIENCE = 5;

    private static final long SEED = 42;

    /** Measures a recipe; keeps neither vectors nor results. */
    public static Rate measured(Recipe recipe, Dataset all, int k, Engine engine) {
        Engine quiet = new Engine(
                engine.device(),
                engine.threads(),
                engine.batchTokens(),
                false,
                CallLimit.none(),
                engine.session().quiet());
        Dataset few = part(all, FEW);
        double[] first = seconds(recipe, few, k, quiet);
        double[] warm = seconds(recipe, few, k, quiet);
        boolean slow = first[0] + first[1] > PATIENCE;
        Dataset part = slow ? few : part(all, PASSAGES);
        double[] times = slow ? warm : seconds(recipe, part, k, quiet);
        // Opening has a part that does not grow with the passages, which the difference leaves out.
        int more = part.passages().size() - few.passages().size();
        double passage = more > 0
                ? Math.max(0, times[0] - warm[0]) / more
                : times[0] / Math.max(1, part.passages().size());
        double query = times[1] / Math.max(1, part.judgedQueries().size());
        return new Rate(part, times[0] + times[1], passage, query);
    }

    /** Seconds per token of {@link CellCost#tokens()}. */
    double perToken(Recipe recipe, CellCosts costs) {
        return seconds / Math.max(1, costs.of(recipe, BenchmarkSize.of(sample)).tokens());
    }

    /** Seconds to open a searcher and to search. */
    private static double[] seconds(Recipe recipe, Dataset part, int k, Engine engine) {
        double[] times = new double[2];
        double all = engine.session()
                .time(() -> {
                    try (Searcher searcher = recipe.retriever().open(part, engine)) {
                        times[1] = engine.session()
                                .time(() -> searcher.search(part.judgedQueries(), k))
                                .seconds();
                        return searcher;
                    }
                })
                .seconds();
        times[0] = all - times[1];
        return times;
    }

    private static Dataset part(Dataset all, int size) {
        Random random = new Random(SEED);
        List<Query> asked = new ArrayList<>(all.judgedQueries());
        Collections.shuffle(asked, random);
        List<Query> kept = new ArrayList<>();
        BitSet wanted = new BitSet();
        for (Query query : asked) {
            int first = judged(all, query).firstRelevant();
            if (kept.size() < size && first >= 0 && (wanted.get(first) || wanted.cardinality() < size)) {
                wanted.set(first);
                kept.add(query);
            }
        }
        int most = Math.min(size, all.passages().size());
        while (wanted.cardinality() < most) {
            wanted.set(random.nextInt(all.passages().size()));
        }
        return part(all, wanted, kept);
    }

    private static Judgments judged(Dataset all, Query query) {
        return Objects.requireNonNull(all.qrels().of(query.id()));
    }

    private static Dataset part(Dataset all, BitSet wanted, List<Query> queries) {
        List<Passage> passages = new ArrayList<>();
        all.passages().forEach((ordinal, passage) -> {
            if (wanted.get(ordinal)) {
                passages.add(passage);
            }
        });
        Passages own = Passages.of(passages);
        Map<String, Judgments> judgments = new HashMap<>();
        for (Query query : queries) {
            String id = all.passages().ids().id(judged(all, query).firstRelevant());
            judgments.put(query.id(), Judgments.of(Map.of(own.ids().ordinal(id), 1)));
        }
        return new Dataset(
                all.card(),
                Map.of(),
                own,
                queries.stream()
                        .map(query -> new Query(query.id(), query.text(), query.evidence()))
                        .toList(),
                new Qrels(judgments));
    }
}

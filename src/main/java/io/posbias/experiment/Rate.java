package io.posbias.experiment;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Passages;
import io.posbias.dataset.Qrels;
import io.posbias.dataset.Query;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Engine;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Searcher;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Seconds per token of a recipe, measured on a sample of a benchmark. */
final class Rate {
    private static final int PASSAGES = 256;

    private static final int FEW = 16;

    /** Seconds for the first few texts after which no more are measured. */
    private static final double PATIENCE = 5;

    private static final long SEED = 42;

    private Rate() {}

    /** Measures seconds for a token of {@link CellCost#tokens()}; keeps neither vectors nor results. */
    static double measured(Recipe recipe, Dataset all, int k, CellCosts costs, Engine engine) {
        Engine quiet = new Engine(
                engine.device(),
                engine.threads(),
                engine.batchTokens(),
                false,
                CallLimit.none(),
                engine.session().quiet());
        Dataset few = part(all, FEW);
        boolean slow = seconds(recipe, few, k, quiet) > PATIENCE;
        Dataset part = slow ? few : part(all, PASSAGES);
        return seconds(recipe, part, k, quiet)
                / Math.max(1, costs.of(recipe, BenchmarkSize.of(part)).tokens());
    }

    private static double seconds(Recipe recipe, Dataset part, int k, Engine engine) {
        return engine.session()
                .time(() -> {
                    try (Searcher searcher = recipe.retriever().open(part, engine)) {
                        return searcher.search(part.judgedQueries(), k);
                    }
                })
                .seconds();
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

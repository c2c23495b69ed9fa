package io.posbias.run.experiment;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Searcher;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Times of a recipe on a sample of a benchmark, measured after a warm-up and without cached vectors.
 *
 * @param passageSeconds to encode and index a passage
 * @param querySeconds to encode and answer a query
 */
public record Rate(Dataset sample, double seconds, double passageSeconds, double querySeconds) {
    /** Passages, and queries, of the samples; the first is the warm-up, and shows how long opening takes. */
    private static final int[] SIZES = {1, 8, 64, 256};

    private static final long SEED = 42;

    /** Floating-point operations per second of a slow CPU. */
    private static final double FLOPS = 5e10;

    /**
     * Measures a recipe on the largest sample that time allows; keeps neither vectors nor results.
     *
     * @param budget in seconds; the two smallest samples may take longer
     */
    public static Rate measured(Recipe recipe, Dataset all, int k, Engine engine, double budget) {
        Engine quiet = new Engine(
                engine.device(),
                engine.threads(),
                engine.batchTokens(),
                false,
                CallLimit.none(),
                engine.session().quiet());
        Timed before = null;
        Timed last = Timed.of(recipe, part(all, SIZES[1]), k, quiet);
        double spent = last.all();
        for (int i = 1; i < SIZES.length; i++) {
            // Opening has a part that does not grow with the passages: at most the time of the smaller sample.
            double opening = before == null ? 0 : Math.min(before.all(), last.all());
            double next = opening + (last.all() - opening) * SIZES[i] / SIZES[i - 1];
            if (before != null && spent + next > budget) {
                break;
            }
            before = last;
            last = Timed.of(recipe, part(all, SIZES[i]), k, quiet);
            spent += last.all();
        }
        return last.rate(before);
    }

    /**
     * Measured rate.
     *
     * @param perToken in seconds; 0 if all of the samples is cached
     * @param tokens that were encoded for it
     */
    public record Timing(double perToken, double tokens) {}

    /** Returns true for a model that a slow CPU cannot run on the smallest sample in time; loads nothing. */
    public static boolean isTooSlow(Recipe recipe, Dataset all, Path home, double budget) {
        return isTooSlow(recipe, all, new CellCosts(home), budget);
    }

    static boolean isTooSlow(Recipe recipe, Dataset all, CellCosts costs, double budget) {
        return costs.of(recipe, BenchmarkSize.of(part(all, SIZES[1]))).all() / FLOPS > budget;
    }

    /**
     * Measures the seconds per token that is not cached, by {@link io.posbias.model.retrieve.Retriever#calls}. What is encoded for
     * it is cached, so that a run does not encode it again.
     *
     * @param budget in seconds
     */
    public static Timing timed(Recipe recipe, Dataset all, int k, Engine engine, double budget) {
        Engine quiet = engine.silent();
        double spent = 0;
        double encoded = 0;
        double[] before = {0, 0};
        double[] last = {0, 0};
        for (int i = 1; i < SIZES.length; i++) {
            Dataset part = part(all, SIZES[i]);
            double tokens = recipe.retriever()
                    .calls(part, null, quiet.with(CallLimit.ofLocalWork()))
                    .tokens();
            if (tokens == 0) {
                continue;
            }
            if (last[1] > 0 && spent + last[0] / last[1] * tokens > budget) {
                break;
            }
            before = last;
            last = new double[] {Timed.of(recipe, part, k, quiet).all(), tokens};
            spent += last[0];
            encoded += tokens;
        }
        if (encoded == 0) {
            return new Timing(0, 0);
        }
        // What a larger sample takes longer is without the time to open the model.
        boolean isOpeningKnown = last[0] > before[0] && last[1] > 2 * before[1];
        return new Timing(isOpeningKnown ? (last[0] - before[0]) / (last[1] - before[1]) : last[0] / last[1], encoded);
    }

    /** Seconds to open a searcher for a sample, and to search its queries. */
    private record Timed(Dataset sample, double open, double search) {
        static Timed of(Recipe recipe, Dataset part, int k, Engine engine) {
            double[] search = new double[1];
            double all = engine.session()
                    .time(() -> {
                        try (Searcher searcher = recipe.retriever().open(part, engine)) {
                            search[0] = engine.session()
                                    .time(() -> searcher.search(part.judgedQueries(), k))
                                    .seconds();
                            return searcher;
                        }
                    })
                    .seconds();
            return new Timed(part, all - search[0], search[0]);
        }

        double all() {
            return open + search;
        }

        int passages() {
            return sample.passages().size();
        }

        /** @param smaller sample, by which the part of opening that does not grow is left out; null for none */
        Rate rate(@Nullable Timed smaller) {
            double passage = open / Math.max(1, passages());
            if (smaller != null && open > smaller.open && passages() > smaller.passages()) {
                passage = (open - smaller.open) / (passages() - smaller.passages());
            }
            double query = search / Math.max(1, sample.judgedQueries().size());
            return new Rate(sample, passage * passages() + search, passage, query);
        }
    }

    /** Seconds per token of {@link CellCost#tokens()}. */
    double perToken(Recipe recipe, CellCosts costs) {
        return seconds / Math.max(1, costs.of(recipe, BenchmarkSize.of(sample)).tokens());
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
        all.passages().inFileOrder((ordinal, passage) -> {
            if (wanted.get(ordinal)) {
                passages.add(passage);
            }
        });
        SequencedMap<Query, String> relevant = new LinkedHashMap<>();
        for (Query query : queries) {
            relevant.put(
                    new Query(query.id(), query.text(), query.evidence()),
                    all.passages().ids().id(judged(all, query).firstRelevant()));
        }
        return all.restricted(passages, relevant);
    }
}

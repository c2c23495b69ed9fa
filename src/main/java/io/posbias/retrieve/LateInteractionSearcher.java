package io.posbias.retrieve;

import io.posbias.Parallel;
import io.posbias.PosbiasException;
import io.posbias.Progress;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A corpus in vectors of tokens, or as much of it as a first stage finds. */
final class LateInteractionSearcher implements Searcher {
    private final Recipe recipe;
    private final Dataset dataset;
    private final CachedEncoder encoder;
    private final MaxSim maxSim;
    private final @Nullable FirstStage firstStage;
    private final @Nullable Searcher first;
    private final Engine engine;
    private final PassageTexts texts;
    private Account account = Account.NONE;

    LateInteractionSearcher(
            Recipe recipe,
            Dataset dataset,
            CachedEncoder encoder,
            boolean mean,
            @Nullable FirstStage firstStage,
            @Nullable Searcher first,
            Engine engine) {
        this.recipe = recipe;
        this.dataset = dataset;
        this.encoder = encoder;
        this.maxSim = new MaxSim(encoder.dimension(), mean);
        this.firstStage = firstStage;
        this.first = first;
        this.engine = engine;
        this.texts = new PassageTexts(dataset);
    }

    @Override
    public Run search(List<Query> queries, int k) {
        Run pool = first == null || firstStage == null ? null : first.search(queries, firstStage.depth());
        Encoded passages = encode(pool);
        Vectors vectors = encoder.encode(
                queries.stream().map(Query::text).toList(), Role.QUERY, "encode queries with " + recipe.name());
        refuseEmpty(queries, vectors);
        Ranking[] rankings = new Ranking[queries.size()];
        try (Progress.Step step = engine.progress().start("search with " + recipe.name(), queries.size())) {
            if (pool == null) {
                searchAll(vectors, passages, k, rankings, step);
            } else {
                searchPool(vectors, passages, pool, k, rankings, step);
            }
        }
        account = account(vectors, passages, pool);
        return new Run(dataset.passages().ids(), queries.stream().map(Query::id).toList(), Arrays.asList(rankings));
    }

    /** A query without a token has no score. */
    private static void refuseEmpty(List<Query> queries, Vectors vectors) {
        for (int q = 0; q < queries.size(); q++) {
            if (vectors.rows(q) == 0) {
                throw new PosbiasException("query " + queries.get(q).id() + " failed: it has no token to compare");
            }
        }
    }

    /**
     * Passages that were encoded.
     *
     * @param vectors their vectors
     * @param place for each ordinal its place among them, or -1
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Encoded(Vectors vectors, int[] place) {}

    private Encoded encode(@Nullable Run pool) {
        int size = dataset.passages().size();
        BitSet wanted = new BitSet(size);
        if (pool == null) {
            wanted.set(0, size);
        } else {
            for (int q = 0; q < pool.queries().size(); q++) {
                Arrays.stream(pool.ranking(q).passages()).forEach(wanted::set);
            }
        }
        int[] place = new int[size];
        Arrays.fill(place, -1);
        int[] members = wanted.stream().toArray();
        IntStream.range(0, members.length).forEach(i -> place[members[i]] = i);
        try (CachedEncoder.Collector collector =
                encoder.collector(members.length, Role.PASSAGE, "encode " + dataset.name())) {
            dataset.passages().forEach((ordinal, passage) -> {
                texts.note(ordinal, passage);
                if (place[ordinal] >= 0) {
                    collector.add(place[ordinal], passage.content());
                }
            });
            return new Encoded(collector.finish(), place);
        }
    }

    private void searchAll(Vectors queries, Encoded passages, int k, Ranking[] rankings, Progress.Step step) {
        int[] all = IntStream.range(0, passages.vectors.size()).toArray();
        List<int[]> blocks = new ArrayList<>();
        for (int from = 0; from < queries.size(); from = MaxSim.blockEnd(queries, from)) {
            blocks.add(new int[] {from, MaxSim.blockEnd(queries, from)});
        }
        int kept = Math.min(k, all.length);
        Parallel.forChunks(engine.threads(), blocks.size(), 1, () -> {
            MaxSim.Worker worker = maxSim.worker();
            return (first, last) -> {
                for (int b = first; b < last; b++) {
                    int from = blocks.get(b)[0];
                    int to = blocks.get(b)[1];
                    BestHits[] best = new BestHits[to - from];
                    Arrays.setAll(best, i -> BestHits.any(kept));
                    worker.loadBlock(queries, from, to);
                    worker.score(passages.vectors, all, (query, passage, score) -> best[query].offer(passage, score));
                    for (int q = from; q < to; q++) {
                        rankings[q] = best[q - from].take();
                    }
                    step.advance(to - from);
                }
            };
        });
    }

    private void searchPool(
            Vectors queries, Encoded passages, Run pool, int k, Ranking[] rankings, Progress.Step step) {
        Parallel.forChunks(engine.threads(), queries.size(), 1, () -> {
            MaxSim.Worker worker = maxSim.worker();
            return (first, last) -> {
                for (int q = first; q < last; q++) {
                    int[] candidates = pool.ranking(q).passages();
                    int[] places = Arrays.stream(candidates)
                            .map(ordinal -> passages.place[ordinal])
                            .toArray();
                    float[] scores = new float[places.length];
                    int[] next = {0};
                    worker.loadOne(queries, q);
                    worker.score(passages.vectors, places, (query, passage, score) -> scores[next[0]++] = score);
                    rankings[q] = Ranking.of(candidates, scores).top(k);
                }
                step.advance(last - first);
            };
        });
    }

    private Account account(Vectors queries, Encoded passages, @Nullable Run pool) {
        int[] seen = new int[passages.place.length];
        for (int ordinal = 0; ordinal < seen.length; ordinal++) {
            int place = passages.place[ordinal];
            seen[ordinal] = place < 0 ? Coverage.NEVER_READ : texts.seenOfText(ordinal, passages.vectors.seen(place));
        }
        List<Coverage> coverages = new ArrayList<>();
        coverages.add(
                Coverage.ofPassages(recipe.name(), recipe.settings().integer("max-tokens", 0), seen, queries.cut()));
        Account before = first == null ? Account.NONE : first.account();
        coverages.addAll(before.coverages());
        Account.FirstStage stage = pool == null || firstStage == null
                ? null
                : new Account.FirstStage(firstStage.recipe().name(), firstStage.depth(), pool);
        return new Account(coverages, stage, before.figures(), Account.together(before.effort(), encoder.effort()));
    }

    @Override
    public Account account() {
        return account;
    }

    @Override
    public void close() {
        maxSim.close();
        if (first != null) {
            first.close();
        }
        encoder.close();
    }
}

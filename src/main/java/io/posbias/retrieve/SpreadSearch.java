package io.posbias.retrieve;

import io.posbias.Progress;
import io.posbias.encode.Engine;
import io.posbias.encode.Portion;
import io.posbias.encode.Workers;
import io.posbias.encode.cache.PortableVectors;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.onnx.OnnxRuntime;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Exact search by workers: blocks of queries on blocks of passages, of each the best, and of these the best. A score does not
 * depend on its block, and {@link Ranking#key} orders hits wholly, so the rankings are those of {@link ExactSearch} here.
 */
final class SpreadSearch {
    /** Fewer passages are not worth a block of their own. */
    private static final int LEAST_PASSAGES = 16 * ExactSearch.PASSAGES;

    private SpreadSearch() {}

    /** Vectors by where they are on disk, which workers see. */
    record Sides(PortableVectors queries, PortableVectors passages, int k) implements Serializable {}

    /** The {@linkplain Ranking#key keys} of the best hits of each query of a block. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record Found(int query, long[][] keys) implements Serializable {}

    /** Queries {@code from} to {@code to} (exclusive) on passages {@code first} to {@code last} (exclusive). */
    record Block(int from, int to, int first, int last) implements Workers.Block<Sides, Found> {
        @Override
        public String name() {
            return "queries " + (from + 1) + " to " + to + " on passages " + (first + 1) + " to " + last;
        }

        @Override
        public Found run(Sides sides, Engine worker) {
            OnnxRuntime runtime = OnnxRuntime.on(worker.device(), line -> {});
            int dimension = sides.passages.dimension();
            try (Vectors queries = sides.queries.part(from, to).open();
                    Vectors passages = sides.passages.open();
                    ExactSearch search = new ExactSearch(
                            runtime,
                            worker.threads(),
                            dimension,
                            runtime.device().isCuda())) {
                Ranking[] rankings = search.search(queries, passages, first, last, sides.k, Progress.NONE.start("", 0));
                return new Found(
                        from, Arrays.stream(rankings).map(Ranking::keys).toArray(long[][]::new));
            }
        }
    }

    /** As {@link ExactSearch#search(Vectors, Vectors, int, Progress.Step)}; {@code step} is told of each query once. */
    static Ranking[] search(Engine engine, String model, Vectors queries, Vectors passages, int k, Progress.Step step) {
        List<Block> blocks =
                blocks(queries.size(), passages.size(), engine.workers().slots());
        long parts = blocks.stream().mapToInt(Block::first).distinct().count();
        long[][] best = new long[queries.size()][0];
        int[] seen = new int[queries.size()];
        String label = String.format(
                Locale.ROOT, "search %,d queries in %,d passages with %s", queries.size(), passages.size(), model);
        Sides sides = new Sides(queries.portable(), passages.portable(), k);
        engine.workers().run(label, sides, blocks, (Found found) -> {
            int done = 0;
            for (int i = 0; i < found.keys.length; i++) {
                int query = found.query + i;
                best[query] = merged(best[query], found.keys[i], k);
                done += ++seen[query] == parts ? 1 : 0;
            }
            step.advance(done);
        });
        return Arrays.stream(best).map(Ranking::ofKeys).toArray(Ranking[]::new);
    }

    private static long[] merged(long[] known, long[] more, int k) {
        long[] all = Arrays.copyOf(known, known.length + more.length);
        System.arraycopy(more, 0, all, known.length, more.length);
        Arrays.sort(all);
        return all.length > k ? Arrays.copyOf(all, k) : all;
    }

    /** Whole tiles of queries; where there are few of them, the passages are cut as well. */
    static List<Block> blocks(int queries, int passages, int slots) {
        int wanted = Portion.EACH * Math.max(1, slots);
        int tiles = Math.ceilDiv(queries, ExactSearch.QUERIES);
        int ofQueries = Math.ceilDiv(tiles, Math.min(tiles, wanted)) * ExactSearch.QUERIES;
        int parts = Math.min(Math.ceilDiv(wanted, tiles), Math.max(1, passages / LEAST_PASSAGES));
        int ofPassages = Math.ceilDiv(Math.ceilDiv(passages, parts), ExactSearch.PASSAGES) * ExactSearch.PASSAGES;
        List<Block> blocks = new ArrayList<>();
        for (int from = 0; from < queries; from += ofQueries) {
            for (int first = 0; first < passages; first += ofPassages) {
                blocks.add(new Block(
                        from, Math.min(queries, from + ofQueries), first, Math.min(passages, first + ofPassages)));
            }
        }
        return blocks;
    }
}

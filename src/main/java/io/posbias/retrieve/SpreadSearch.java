package io.posbias.retrieve;

import io.posbias.Progress;
import io.posbias.encode.Engine;
import io.posbias.encode.Portion;
import io.posbias.encode.Slots;
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

    /** What is carried to workers that do not see where vectors are, at once: numbers of passages, and half as many of queries. */
    private static final int MOST_CARRIED = 1 << 25;

    /**
     * The vectors of some blocks.
     *
     * @param firstQuery the place of the first among all queries
     * @param firstPassage likewise
     */
    record Sides(int firstQuery, PortableVectors queries, int firstPassage, PortableVectors passages, int k)
            implements Serializable {}

    /** Those of all queries and passages whose vectors are brought to workers together. */
    record Slice(int from, int to, int first, int last) {
        Sides sides(boolean seen, Vectors queries, Vectors passages, int k) {
            return seen
                    ? new Sides(0, queries.portable(), 0, passages.portable(), k)
                    : new Sides(from, queries.carried(from, to), first, passages.carried(first, last), k);
        }

        List<Block> blocks(int slots) {
            return SpreadSearch.blocks(to - from, last - first, slots).stream()
                    .map(block ->
                            new Block(from + block.from, from + block.to, first + block.first, first + block.last))
                    .toList();
        }
    }

    /** The {@linkplain Ranking#key keys} of the best hits of each query of a block. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record Found(int query, long[][] keys) implements Serializable {}

    /** Queries {@code from} to {@code to} (exclusive) on passages {@code first} to {@code last} (exclusive). */
    record Block(int from, int to, int first, int last) implements Workers.Block<Sides, Found> {
        /** Pairs of a query and a passage. */
        long products() {
            return (long) (to - from) * (last - first);
        }

        /** Counts itself at each of its queries. */
        void countIn(int[] queries) {
            for (int query = from; query < to; query++) {
                queries[query]++;
            }
        }

        @Override
        public String name() {
            return "queries " + (from + 1) + " to " + to + " on passages " + (first + 1) + " to " + last;
        }

        @Override
        public Found run(Sides sides, Engine worker) {
            OnnxRuntime runtime = OnnxRuntime.on(worker.device(), line -> {});
            int dimension = sides.passages.dimension();
            int skipped = sides.firstPassage;
            try (Vectors queries = sides.queries
                            .part(from - sides.firstQuery, to - sides.firstQuery)
                            .open();
                    Vectors passages = sides.passages.open();
                    ExactSearch search = new ExactSearch(
                            runtime,
                            worker.threads(),
                            dimension,
                            runtime.device().isCuda())) {
                Ranking[] rankings = search.search(
                        queries, passages, first - skipped, last - skipped, sides.k, Progress.NONE.start("", 0));
                return new Found(
                        from,
                        Arrays.stream(rankings)
                                .map(ranking -> ranking.keysAfter(skipped))
                                .toArray(long[][]::new));
            }
        }
    }

    /** As {@link ExactSearch#search(Vectors, Vectors, int, Progress.Step)}; {@code step} is told of each query once. */
    static Ranking[] search(Engine engine, String model, Vectors queries, Vectors passages, int k, Progress.Step step) {
        return search(engine, model, queries, passages, k, step, MOST_CARRIED);
    }

    /** As above, with at most so many numbers of passages carried at once. */
    static Ranking[] search(
            Engine engine,
            String model,
            Vectors queries,
            Vectors passages,
            int k,
            Progress.Step step,
            int mostCarried) {
        boolean seen = engine.workers().seeFiles();
        List<Slice> slices =
                slices(seen, queries.size(), passages.size(), mostCarried / Math.max(1, passages.dimension()));
        int[] left = new int[queries.size()];
        List<List<Block>> blocks = blocks(slices, engine.workers().slots());
        blocks.forEach(some -> some.forEach(block -> block.countIn(left)));
        long[][] best = new long[queries.size()][0];
        String label = String.format(
                Locale.ROOT, "search %,d queries in %,d passages with %s", queries.size(), passages.size(), model);
        for (int i = 0; i < slices.size(); i++) {
            Sides sides = slices.get(i).sides(seen, queries, passages, k);
            engine.workers()
                    .run(label, sides, blocks.get(i), (Found found) -> step.advance(taken(found, best, left, k)));
        }
        return Arrays.stream(best).map(Ranking::ofKeys).toArray(Ranking[]::new);
    }

    /** The blocks that a search would be divided into. */
    static List<Block> blocks(int queries, int passages, int dimension, Slots slots) {
        return blocks(queries, passages, dimension, slots, MOST_CARRIED);
    }

    /** As above, with at most so many numbers of passages carried at once. */
    static List<Block> blocks(int queries, int passages, int dimension, Slots slots, int mostCarried) {
        List<Slice> slices = slices(slots.seeFiles(), queries, passages, mostCarried / Math.max(1, dimension));
        return blocks(slices, slots.count()).stream().flatMap(List::stream).toList();
    }

    private static List<List<Block>> blocks(List<Slice> slices, int slots) {
        return slices.stream().map(slice -> slice.blocks(slots)).toList();
    }

    /** Takes what a block found; tells for how many queries it was the last. */
    private static int taken(Found found, long[][] best, int[] left, int k) {
        int done = 0;
        for (int i = 0; i < found.keys.length; i++) {
            int query = found.query + i;
            best[query] = merged(best[query], found.keys[i], k);
            done += --left[query] == 0 ? 1 : 0;
        }
        return done;
    }

    /**
     * All of both sides in parts.
     *
     * @param seen whether workers see the vectors: then all is one part
     * @param most passages of a part that is brought to them, about; half as many queries
     */
    private static List<Slice> slices(boolean seen, int queries, int passages, int most) {
        if (seen) {
            return List.of(new Slice(0, queries, 0, passages));
        }
        int ofPassages = Math.max(1, most / ExactSearch.PASSAGES) * ExactSearch.PASSAGES;
        int ofQueries = Math.max(1, most / 2 / ExactSearch.QUERIES) * ExactSearch.QUERIES;
        List<Slice> slices = new ArrayList<>();
        for (int first = 0; first < passages; first += ofPassages) {
            for (int from = 0; from < queries; from += ofQueries) {
                slices.add(new Slice(
                        from, Math.min(queries, from + ofQueries), first, Math.min(passages, first + ofPassages)));
            }
        }
        return slices;
    }

    private static long[] merged(long[] known, long[] more, int k) {
        long[] all = Arrays.copyOf(known, known.length + more.length);
        System.arraycopy(more, 0, all, known.length, more.length);
        Arrays.sort(all);
        return all.length > k ? Arrays.copyOf(all, k) : all;
    }

    /** Whole tiles of queries; where there are few of them, the passages are cut as well. */
    static List<Block> blocks(int queries, int passages, int slots) {
        if (queries == 0 || passages == 0) {
            return List.of();
        }
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

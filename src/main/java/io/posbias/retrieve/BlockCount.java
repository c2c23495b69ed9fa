package io.posbias.retrieve;

import io.posbias.encode.Portion;
import io.posbias.encode.Slots;
import java.util.List;

/**
 * The blocks that workers would be given of some work, by the code that divides it when it is done.
 *
 * @param blocks how many
 * @param largest the share of the work that is in the largest, from 0 to 1
 */
public record BlockCount(long blocks, double largest) {
    /** No work. */
    public static final BlockCount NONE = new BlockCount(0, 0);

    /**
     * Of texts to encode.
     *
     * @param windows how many texts are prepared together, one window after another
     */
    public static BlockCount ofTexts(List<Integer> windows, Slots slots) {
        long blocks = 0;
        int largest = 0;
        for (int window : windows) {
            int own = Portion.count(window, Portion.sharing(slots.count()));
            blocks += own;
            largest = Math.max(largest, Math.ceilDiv(window, own));
        }
        return of(
                blocks, largest, windows.stream().mapToLong(Integer::longValue).sum());
    }

    /** Of an exact search; {@code dimension} numbers a vector, 0 where nobody says. */
    public static BlockCount ofSearch(int queries, int passages, int dimension, Slots slots) {
        List<SpreadSearch.Block> blocks = SpreadSearch.blocks(queries, passages, dimension, slots);
        long largest =
                blocks.stream().mapToLong(SpreadSearch.Block::products).max().orElse(0);
        return of(blocks.size(), largest, (long) queries * passages);
    }

    /**
     * Of pairs to score.
     *
     * @param candidates of each query
     */
    public static BlockCount ofPairs(int[] candidates, Slots slots) {
        long blocks = 0;
        long all = 0;
        int largest = 0;
        int to;
        for (int from = 0; from < candidates.length; from = to) {
            to = RerankRetriever.windowEnd(candidates, from, SpreadScorer.window(slots.count()));
            int pairs = 0;
            for (int query = from; query < to; query++) {
                pairs += candidates[query];
            }
            int own = Portion.count(pairs, slots.count());
            blocks += own;
            all += pairs;
            largest = Math.max(largest, own == 0 ? 0 : Math.ceilDiv(pairs, own));
        }
        return of(blocks, largest, all);
    }

    private static BlockCount of(long blocks, long largest, long all) {
        return all == 0 ? NONE : new BlockCount(blocks, (double) largest / all);
    }
}

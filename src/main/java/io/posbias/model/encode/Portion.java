package io.posbias.model.encode;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Part of a window, for one worker.
 *
 * @param places indices of the items in the window
 */
public record Portion<T extends Serializable>(ArrayList<Integer> places, ArrayList<T> items) implements Serializable {
    /** Maximum number of items: the loss when a worker dies. */
    public static final int MAX_ITEMS = 4_096;

    /** Portions per slot, so that few workers wait for the last one. */
    public static final int PER_SLOT = 4;

    /** With more slots, a window of long texts would come down to one text per portion. */
    private static final int MAX_SHARING = 8;

    /**
     * Deals items round robin: neighbours often have equal lengths, and portions should take equally long.
     *
     * @param items at least one
     * @return portions whose sizes differ by at most one
     */
    public static <T extends Serializable> List<Portion<T>> deal(List<T> items, int slots) {
        int count = Math.min(items.size(), Math.max(Math.ceilDiv(items.size(), MAX_ITEMS), PER_SLOT * slots));
        List<Portion<T>> portions = IntStream.range(0, count)
                .mapToObj(i -> new Portion<T>(new ArrayList<>(), new ArrayList<>()))
                .toList();
        for (int i = 0; i < items.size(); i++) {
            portions.get(i % count).places.add(i);
            portions.get(i % count).items.add(items.get(i));
        }
        return portions;
    }

    /** Returns the slots that share a window; with more slots, more windows are under way. */
    public static int sharing(int slots) {
        return Math.min(slots, MAX_SHARING);
    }

    /** Splits this portion into single items; empty if it is one item. */
    public List<Portion<T>> single() {
        return IntStream.range(0, items.size() == 1 ? 0 : items.size())
                .mapToObj(i -> new Portion<>(
                        new ArrayList<>(places.subList(i, i + 1)), new ArrayList<>(items.subList(i, i + 1))))
                .toList();
    }

    /**
     * Returns the name for errors.
     *
     * @param plural noun for the items
     * @param name of an item
     */
    public String name(String plural, Function<T, String> name) {
        String first = name.apply(items.getFirst());
        return items.size() == 1 ? first : items.size() + " " + plural + " from " + first + " on";
    }
}

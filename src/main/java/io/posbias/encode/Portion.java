package io.posbias.encode;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Some items of a window that go to one worker.
 *
 * @param places of the items in the window, in the order of the items
 * @param items as many, at least one
 */
public record Portion<T extends Serializable>(ArrayList<Integer> places, ArrayList<T> items) implements Serializable {
    /** Items of a portion at most: what is lost with a worker. */
    public static final int MOST = 4_096;

    /** Portions for each that is done at once: the last ones to end then keep few workers waiting. */
    public static final int EACH = 4;

    /** With more slots a window of long texts would come down to one text for each portion. */
    private static final int SHARING = 8;

    /**
     * Deals items out: neighbours are often of one length, and portions should take equally long.
     *
     * @param items at least one
     * @param slots how many portions are done at once
     * @return portions whose sizes differ by one at most
     */
    public static <T extends Serializable> List<Portion<T>> deal(List<T> items, int slots) {
        int count = Math.min(items.size(), Math.max(Math.ceilDiv(items.size(), MOST), EACH * slots));
        List<Portion<T>> portions = IntStream.range(0, count)
                .mapToObj(i -> new Portion<T>(new ArrayList<>(), new ArrayList<>()))
                .toList();
        for (int i = 0; i < items.size(); i++) {
            portions.get(i % count).places.add(i);
            portions.get(i % count).items.add(items.get(i));
        }
        return portions;
    }

    /** For how many slots a window of texts is dealt out: where there are more, more windows are under way. */
    public static int sharing(int slots) {
        return Math.min(slots, SHARING);
    }

    /** The same items one by one; empty where there is one. */
    public List<Portion<T>> single() {
        return IntStream.range(0, items.size() == 1 ? 0 : items.size())
                .mapToObj(i -> new Portion<>(
                        new ArrayList<>(places.subList(i, i + 1)), new ArrayList<>(items.subList(i, i + 1))))
                .toList();
    }

    /**
     * What errors call it.
     *
     * @param plural of what it has several, such as "texts"
     * @param name of one item
     */
    public String name(String plural, Function<T, String> name) {
        String first = name.apply(items.getFirst());
        return items.size() == 1 ? first : items.size() + " " + plural + ", of which one is " + first;
    }
}

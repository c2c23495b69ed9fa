package io.posbias.build.text;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A draw without replacement of at most so many of a stream: those with the smallest {@link Draw#priority}, of equal ones
 * those that came first. Nothing else of the stream is held.
 */
public final class BoundedDraw<T> {
    private static final Comparator<Ticket<?>> IN_ORDER = ((Comparator<Ticket<?>>)
                    (a, b) -> Long.compareUnsigned(a.priority(), b.priority()))
            .thenComparingLong(Ticket::number);

    private final long seed;
    private final long limit;
    private final PriorityQueue<Ticket<T>> heap = new PriorityQueue<>(IN_ORDER.reversed());
    private long added;

    private record Ticket<T>(long priority, long number, T what) {}

    public BoundedDraw(long seed, long limit) {
        this.seed = seed;
        this.limit = limit;
    }

    /** Lets one take part. */
    public void add(String id, T what) {
        heap.add(new Ticket<>(Draw.priority(seed, id), added++, what));
        if (heap.size() > limit) {
            heap.remove();
        }
    }

    /** How many are drawn. */
    public int size() {
        return heap.size();
    }

    /** Those that are drawn, by their priorities. */
    public List<T> drawn() {
        return heap.stream().sorted(IN_ORDER).map(Ticket::what).toList();
    }
}

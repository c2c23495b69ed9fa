package io.posbias.study.build.text;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Draws at most a limit of a stream without replacement: the smallest {@link Draw#priority}; ties by order of
 * arrival. Only drawn items are in memory.
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

    public void add(String id, T what) {
        heap.add(new Ticket<>(Draw.priority(seed, id), added++, what));
        if (heap.size() > limit) {
            heap.remove();
        }
    }

    public long added() {
        return added;
    }

    public int size() {
        return heap.size();
    }

    /** Returns the drawn items by priority. */
    public List<T> drawn() {
        return heap.stream().sorted(IN_ORDER).map(Ticket::what).toList();
    }
}

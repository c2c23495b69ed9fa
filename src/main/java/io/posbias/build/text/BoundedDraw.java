package io.posbias.build.text;

import java.util.BitSet;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A draw without replacement of at most so many of a stream: those with the smallest {@link Draw#priority}. */
public final class BoundedDraw {
    private static final Comparator<Ticket> LAST_FIRST = ((Comparator<Ticket>)
                    (a, b) -> Long.compareUnsigned(b.priority(), a.priority()))
            .thenComparing(Ticket::ordinal, Comparator.reverseOrder());

    private final long seed;
    private final long limit;
    private final PriorityQueue<Ticket> heap = new PriorityQueue<>(LAST_FIRST);

    /** What takes part, by its number in the stream. */
    private record Ticket(long priority, int ordinal) {}

    public BoundedDraw(long seed, long limit) {
        this.seed = seed;
        this.limit = limit;
    }

    /** Lets one take part. */
    public void add(String id, int ordinal) {
        heap.add(new Ticket(Draw.priority(seed, id), ordinal));
        if (heap.size() > limit) {
            heap.remove();
        }
    }

    /** How many are drawn. */
    public int size() {
        return heap.size();
    }

    /** Marks those that are drawn by their numbers. */
    public void mark(BitSet drawn) {
        heap.forEach(ticket -> drawn.set(ticket.ordinal()));
    }
}

package io.posbias;

import java.io.Serial;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A bounded queue between one producer and several consumers that none of them can block for ever. */
final class Feed<T> {
    private final int capacity;
    private final Queue<T> items = new ArrayDeque<>();
    private boolean ended;
    private boolean stopped;

    Feed(int capacity) {
        this.capacity = capacity;
    }

    /** A consumer failed, so nothing more is wanted. */
    static final class StoppedException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;
    }

    /** Adds an item, waiting while the queue is full. */
    synchronized void put(T item) {
        try {
            while (items.size() >= capacity && !stopped) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            stopInterrupted();
        }
        if (stopped) {
            throw new StoppedException();
        }
        items.add(item);
        notifyAll();
    }

    /** Says that nothing more comes. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Lets everybody go home. */
    synchronized void stop() {
        stopped = true;
        notifyAll();
    }

    /** Hands items to a consumer until there are none; a consumer that throws stops the feed. */
    void drain(Consumer<T> consumer) {
        try {
            for (T item = take(); item != null; item = take()) {
                consumer.accept(item);
            }
        } catch (RuntimeException | Error failure) {
            stop();
            throw failure;
        }
    }

    private synchronized @Nullable T take() {
        try {
            while (items.isEmpty() && !ended && !stopped) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            stopInterrupted();
        }
        if (stopped) {
            return null;
        }
        T item = items.poll();
        notifyAll();
        return item;
    }

    private synchronized void stopInterrupted() {
        Thread.currentThread().interrupt();
        stopped = true;
        notifyAll();
    }
}

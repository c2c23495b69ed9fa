package io.posbias;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work on several threads whose outcome does not depend on how many there are. Every future is read: a body that throws
 * ends the whole piece of work with its own exception.
 */
public final class Parallel {
    private Parallel() {}

    /** A worker that owns its scratch memory and is called for one range after another, by one thread. */
    @FunctionalInterface
    public interface Worker {
        /** Does the items {@code from} (inclusive) to {@code to} (exclusive). */
        void run(int from, int to) throws Exception;
    }

    /**
     * Splits {@code 0..n} into ranges of {@code chunk} and lets one worker a thread take them in order.
     *
     * @param threads how many, at least 1
     * @param workers makes one worker for each thread
     */
    public static void forChunks(int threads, int n, int chunk, Supplier<Worker> workers) {
        if (n == 0) {
            return;
        }
        int used = Math.max(1, Math.min(threads, (n + chunk - 1) / chunk));
        AtomicInteger next = new AtomicInteger();
        runAll(used, () -> {
            Worker worker = workers.get();
            int from;
            while ((from = next.getAndAdd(chunk)) < n) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedException();
                }
                worker.run(from, Math.min(n, from + chunk));
            }
            return null;
        });
    }

    /** Runs the same task on {@code threads} threads and waits for all of them. */
    private static void runAll(int threads, Callable<?> task) {
        try (ExecutorService pool = pool(threads)) {
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                futures.add(pool.submit(task));
            }
            readAll(pool, futures);
        }
    }

    /**
     * Takes items from {@code source} on the calling thread until it gives null, maps them on several threads, and hands
     * the results to {@code sink} in the order of the items, on the calling thread. At most {@code 2 * threads} items
     * are under way at a time.
     */
    public static <A, B> void mapInOrder(
            int threads, Supplier<@Nullable A> source, Function<A, B> map, Consumer<B> sink) {
        try (ExecutorService pool = pool(threads)) {
            Deque<Future<B>> waiting = new ArrayDeque<>();
            try {
                for (A item = source.get(); item != null; item = source.get()) {
                    A taken = item;
                    waiting.add(pool.submit(() -> map.apply(taken)));
                    if (waiting.size() >= 2 * threads) {
                        sink.accept(await(waiting.remove()));
                    }
                }
                while (!waiting.isEmpty()) {
                    sink.accept(await(waiting.remove()));
                }
            } catch (RuntimeException | Error failure) {
                pool.shutdownNow();
                throw failure;
            }
        }
    }

    /**
     * Lets {@code producer} run on the calling thread and hands what it puts out to workers on other threads, in no
     * particular order.
     *
     * @param producer is given where to put its items; a full queue makes it wait
     * @param workers makes one consumer for each thread
     */
    public static <T> void feed(int threads, Consumer<Consumer<T>> producer, Supplier<Consumer<T>> workers) {
        Feed<T> feed = new Feed<>(4 * threads);
        try (ExecutorService pool = pool(threads)) {
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                futures.add(pool.submit(() -> feed.drain(workers.get())));
            }
            try {
                producer.accept(feed::put);
            } catch (Feed.StoppedException workerFailed) {
                feed.stop();
            } catch (RuntimeException | Error failure) {
                feed.stop();
                throw failure;
            }
            feed.end();
            readAll(pool, futures);
        }
    }

    private static ExecutorService pool(int threads) {
        return Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("posbias-", 0).factory());
    }

    private static void readAll(ExecutorService pool, List<Future<?>> futures) {
        try {
            for (Future<?> future : futures) {
                await(future);
            }
        } catch (RuntimeException | Error failure) {
            pool.shutdownNow();
            throw failure;
        }
    }

    /**
     * Waits for work on another thread.
     *
     * @throws PosbiasException if this thread is interrupted, or the work failed with an exception that is checked; one
     *     that is not, and an error, come as they are
     */
    public static <T> T await(Future<T> future) {
        try {
            return future.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PosbiasException("interrupted", interrupted);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof RuntimeException known) {
                throw known;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw new PosbiasException(String.valueOf(cause == null ? failed : cause), failed);
        }
    }
}

package io.posbias;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
        Callable<Boolean> task = () -> {
            boolean done = false;
            try {
                Worker worker = workers.get();
                int from;
                while ((from = next.getAndAdd(chunk)) < n) {
                    if (Thread.currentThread().isInterrupted()) {
                        throw new InterruptedException();
                    }
                    worker.run(from, Math.min(n, from + chunk));
                }
                done = true;
            } finally {
                // What follows a failure would be thrown away, and some of it is paid for.
                if (!done) {
                    next.set(n);
                }
            }
            return done;
        };
        onPool(
                used,
                pool -> awaitAll(
                        Stream.generate(() -> pool.submit(task)).limit(used).toList()));
    }

    /** After a failure the others end what they have begun, which may be paid for; an error ends them at once. */
    private static void awaitAll(List<Future<Boolean>> futures) {
        RuntimeException first = null;
        for (Future<Boolean> future : futures) {
            try {
                await(future);
            } catch (RuntimeException failure) {
                first = first == null ? failure : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * Takes items from {@code source} on the calling thread until it gives null, maps them on several threads, and hands
     * the results to {@code sink} in the order of the items, on the calling thread. At most {@code 2 * threads} items
     * are under way at a time.
     */
    public static <A, B> void mapInOrder(
            int threads, Supplier<@Nullable A> source, Function<A, B> map, Consumer<B> sink) {
        Consumer<Consumer<Callable<B>>> producer = tasks -> {
            for (A item = source.get(); item != null; item = source.get()) {
                A taken = item;
                tasks.accept(() -> map.apply(taken));
            }
        };
        inOrder(threads, 2 * threads, producer, sink);
    }

    /**
     * Lets {@code producer} run on the calling thread and hands what it puts out to workers on other threads, in no
     * particular order. At most {@code 4 * threads} items are under way at a time.
     *
     * @param producer is given where to put its items, which may make it wait
     * @param workers makes a consumer for each thread, which one thread at a time calls
     */
    public static <T> void feed(int threads, Consumer<Consumer<T>> producer, Supplier<Consumer<T>> workers) {
        Queue<Consumer<T>> idle = new ConcurrentLinkedQueue<>();
        Function<T, T> consume = item -> {
            Consumer<T> worker = Objects.requireNonNullElseGet(idle.poll(), workers);
            worker.accept(item);
            idle.add(worker);
            return item;
        };
        inOrder(
                threads,
                4 * threads,
                tasks -> producer.accept(item -> tasks.accept(() -> consume.apply(item))),
                done -> {});
    }

    private static <B> void inOrder(int threads, int most, Consumer<Consumer<Callable<B>>> producer, Consumer<B> sink) {
        onPool(threads, pool -> {
            Deque<Future<B>> waiting = new ArrayDeque<>();
            producer.accept(task -> {
                waiting.add(pool.submit(task));
                if (waiting.size() >= most) {
                    sink.accept(await(waiting.remove()));
                }
            });
            waiting.forEach(future -> sink.accept(await(future)));
        });
    }

    private static void onPool(int threads, Consumer<ExecutorService> work) {
        ThreadFactory daemons = Thread.ofPlatform().daemon().name("posbias-", 0).factory();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads, daemons)) {
            try {
                work.accept(pool);
            } catch (RuntimeException | Error failure) {
                pool.shutdownNow();
                throw failure;
            }
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

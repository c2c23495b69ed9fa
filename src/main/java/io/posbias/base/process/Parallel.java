package io.posbias.base.process;

import java.time.Duration;
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
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Multithreaded loops with deterministic results. The first exception of a worker ends the loop and is rethrown. */
public final class Parallel {
    public static final int LOOK_MILLIS = 100;

    private Parallel() {}

    /** Processes ranges with its scratch memory; used by one thread. */
    @FunctionalInterface
    public interface Worker {
        /** Processes items {@code from} (inclusive) to {@code to} (exclusive). */
        void run(int from, int to) throws Exception;
    }

    /** Splits {@code 0..n} into chunks and processes them with one worker per thread. */
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

    /** Waits for all: after a failure other workers finish their chunk, which may be paid for. */
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
     * Maps items on several threads. {@code source} (null at its end) and {@code sink} run on the calling thread, in
     * order; at most {@code 2 * threads} items are in flight.
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
     * Feeds items from {@code producer}, on the calling thread, to workers in any order; at most {@code 4 * threads}
     * items are in flight.
     *
     * @param workers creates a consumer per thread
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

    /** Does work on a thread of its own. */
    public static <T> Future<T> later(String thread, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().name(thread).start(task);
        return task;
    }

    /**
     * Waits for a future, not counting time in which this process was stopped, as by Ctrl-Z.
     *
     * @throws TimeoutException after {@code most}, or if {@code goesOn} returns false
     */
    public static <T> T await(Future<T> future, Duration most, BooleanSupplier goesOn)
            throws InterruptedException, ExecutionException, TimeoutException {
        for (long left = most.toMillis(); ; left -= LOOK_MILLIS) {
            try {
                return future.get(Math.clamp(left, 1, LOOK_MILLIS), TimeUnit.MILLISECONDS);
            } catch (TimeoutException waited) {
                if (left <= LOOK_MILLIS || !goesOn.getAsBoolean()) {
                    throw waited;
                }
            }
        }
    }

    /**
     * Waits for a future and rethrows its unchecked exception.
     *
     * @throws PosbiasException if interrupted, or for a checked exception
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

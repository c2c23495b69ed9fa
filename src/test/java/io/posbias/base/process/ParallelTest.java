package io.posbias.base.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ParallelTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void chunksCoverEverythingOnce(int threads) {
        AtomicIntegerArray seen = new AtomicIntegerArray(1000);
        Parallel.forChunks(
                threads, 1000, 7, () -> (from, to) -> IntStream.range(from, to).forEach(seen::incrementAndGet));
        for (int i = 0; i < seen.length(); i++) {
            assertThat(seen.get(i)).isEqualTo(1);
        }
    }

    /** Also an error that no body throws on purpose; what is left would be work for nothing. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void anErrorEndsTheWorkOfOtherThreads(int threads) {
        AtomicInteger done = new AtomicInteger();
        assertThatThrownBy(() -> Parallel.forChunks(threads, 100_000, 1, () -> (from, to) -> {
                    if (from == 3) {
                        throw new OutOfMemoryError("as ordered");
                    }
                    Thread.sleep(1);
                    done.incrementAndGet();
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(done.get()).isLessThan(1000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void resultsComeInOrder(int threads) {
        AtomicInteger next = new AtomicInteger();
        List<Integer> out = new ArrayList<>();
        Parallel.<Integer, Integer>mapInOrder(
                threads, () -> next.get() < 100 ? next.getAndIncrement() : null, i -> i * i, out::add);
        assertThat(out).isEqualTo(IntStream.range(0, 100).mapToObj(i -> i * i).toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void aFailureIsNeverLost(int threads) {
        assertThatThrownBy(() -> Parallel.forChunks(threads, 100, 1, () -> (from, to) -> {
                    if (from == 42) {
                        throw new PosbiasException("query 42");
                    }
                }))
                .isInstanceOf(PosbiasException.class)
                .hasMessage("query 42");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void anErrorOfAWorkerEndsTheWork(int threads) {
        assertThatThrownBy(() -> Parallel.forChunks(threads, 100, 1, () -> (from, to) -> {
                    throw new OutOfMemoryError("Java heap space");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> Parallel.<Integer, Integer>mapInOrder(
                        threads,
                        () -> 1,
                        i -> {
                            throw new StackOverflowError();
                        },
                        i -> {}))
                .isInstanceOf(StackOverflowError.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void aFailingConsumerStopsItsProducer(int threads) {
        assertThatThrownBy(() -> Parallel.<Integer>feed(
                        threads, sink -> IntStream.range(0, 1_000_000).forEach(sink::accept), () -> item -> {
                            throw new PosbiasException("item " + item);
                        }))
                .isInstanceOf(PosbiasException.class)
                .hasMessageStartingWith("item ");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void aFailingProducerStopsItsConsumers(int threads) {
        AtomicInteger taken = new AtomicInteger();
        assertThatThrownBy(() -> Parallel.<Integer>feed(
                        threads,
                        sink -> {
                            sink.accept(1);
                            throw new PosbiasException("line 2");
                        },
                        () -> item -> taken.incrementAndGet()))
                .hasMessage("line 2");
        assertThat(taken.get()).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void everyItemArrives(int threads) {
        AtomicInteger sum = new AtomicInteger();
        Parallel.<Integer>feed(
                threads, sink -> IntStream.rangeClosed(1, 1000).forEach(sink::accept), () -> sum::addAndGet);
        assertThat(sum.get()).isEqualTo(500_500);
    }
}

package io.posbias.base.stats;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/** Counts how often an event happens in independent runs, each with its own generator. */
public final class Simulation {
    private Simulation() {}

    /**
     * Makes at least one run. Run number i has the same generator for any number of threads, and for any event.
     *
     * @return number of runs in which the event happened
     */
    public static long count(int runs, long seed, int threads, Predicate<SplittableRandom> event) {
        LongAdder count = new LongAdder();
        SeededStreams.run(runs, seed, threads, () -> (number, random) -> {
            if (event.test(random.split())) {
                count.increment();
            }
        });
        return count.sum();
    }

    /** Draws clusters with replacement, by number below {@code clusters}. */
    public static int[] draw(int size, int clusters, SplittableRandom random) {
        int[] drawn = new int[size];
        for (int i = 0; i < size; i++) {
            drawn[i] = SeededStreams.below(clusters, random);
        }
        return drawn;
    }
}

package io.posbias.base.stats;

import io.posbias.base.process.Parallel;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Random draws on several threads: each hundred draws have their own generator, so that draws do not depend on the number of
 * threads.
 */
final class SeededStreams {
    private static final int DRAWS_PER_STREAM = 100;

    private SeededStreams() {}

    /** Makes draws on one thread, with its own scratch memory. */
    @FunctionalInterface
    interface Drawer {
        void draw(int number, SplittableRandom random);

        /** Called before the first draw of each generator. */
        default void restart() {}
    }

    /** Makes at least one draw. */
    static void run(int draws, long seed, int threads, Supplier<Drawer> drawers) {
        SplittableRandom root = new SplittableRandom(seed);
        SplittableRandom[] streams = new SplittableRandom[Math.ceilDiv(draws, DRAWS_PER_STREAM)];
        for (int i = 0; i < streams.length; i++) {
            streams[i] = root.split();
        }
        Parallel.forChunks(threads, streams.length, 1, () -> {
            Drawer drawer = drawers.get();
            return (from, to) -> {
                for (int stream = from; stream < to; stream++) {
                    drawer.restart();
                    int end = Math.min(draws, (stream + 1) * DRAWS_PER_STREAM);
                    for (int i = stream * DRAWS_PER_STREAM; i < end; i++) {
                        drawer.draw(i, streams[stream]);
                    }
                }
            };
        });
    }

    /** A uniform number below the bound (Lemire 2019). */
    static int below(int bound, SplittableRandom random) {
        long product = (random.nextInt() & 0xFFFFFFFFL) * bound;
        if ((product & 0xFFFFFFFFL) < bound) {
            long threshold = (1L << 32) % bound;
            while ((product & 0xFFFFFFFFL) < threshold) {
                product = (random.nextInt() & 0xFFFFFFFFL) * bound;
            }
        }
        return (int) (product >>> 32);
    }
}

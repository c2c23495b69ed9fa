package io.posbias.encode;

import io.posbias.Progress;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * What models run on: nothing here may change a number beyond what another device rounds differently.
 *
 * @param device where graphs run, as asked for; {@link OnnxRuntime} settles {@code auto}
 * @param threads how many threads may work, at least 1; results do not depend on it
 * @param batchTokens how many tokens one call of a graph gets at most, unless a single text is longer; 0 leaves it to
 *     the device
 * @param home posbias's own folder, for models and vectors
 * @param keepVectors whether vectors and scores are kept in it for the next run
 * @param progress where to tell how far it is
 * @param say takes one line after another on what is done
 */
public record Engine(
        Device device,
        int threads,
        int batchTokens,
        Path home,
        boolean keepVectors,
        Progress progress,
        Consumer<String> say) {
    /** What 2 cores did best with, of 256 to 8,192: see docs/performance.md. */
    private static final int CPU_BATCH = 512;

    /** A card needs more to be busy; at 8,192 tokens a text it still takes four. */
    private static final int CUDA_BATCH = 32_768;

    /** An engine on the processor that says and keeps nothing. */
    public static Engine quiet(int threads, Path home) {
        return new Engine(Device.CPU, threads, 0, home, false, Progress.NONE, line -> {});
    }

    /** The tokens of one call on a device. */
    int batchTokensOn(Device settled) {
        if (batchTokens > 0) {
            return batchTokens;
        }
        return settled.isCuda() ? CUDA_BATCH : CPU_BATCH;
    }
}

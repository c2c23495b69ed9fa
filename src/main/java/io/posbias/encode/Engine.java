package io.posbias.encode;

import io.posbias.Progress;
import io.posbias.Session;
import java.nio.file.Path;

/**
 * What models run on: nothing here may change a number beyond what another device rounds differently.
 *
 * @param device where graphs run, as asked for; {@code OnnxRuntime} settles {@code auto}
 * @param threads how many threads may work, at least 1; results do not depend on it
 * @param batchTokens how many tokens one call of a graph gets at most, unless a single text is longer; 0 leaves it to
 *     the device
 * @param keepVectors whether vectors and scores are kept in it for the next run
 * @param calls how many calls of services may be made
 * @param session of the command
 * @param workers what blocks of work are given to
 */
public record Engine(
        Device device,
        int threads,
        int batchTokens,
        boolean keepVectors,
        CallLimit calls,
        Session session,
        Workers workers) {
    /** What 2 cores did best with, of 256 to 8,192: see docs/performance.md. */
    private static final int CPU_BATCH = 512;

    /** A card needs more to be busy; at 8,192 tokens a text it still takes four. */
    private static final int CUDA_BATCH = 32_768;

    /** An engine without other processes. */
    public Engine(Device device, int threads, int batchTokens, boolean keepVectors, CallLimit calls, Session session) {
        this(device, threads, batchTokens, keepVectors, calls, session, Workers.NONE);
    }

    /** An engine on the processor that says and keeps nothing. */
    public static Engine quiet(int threads, Session session) {
        return new Engine(Device.CPU, threads, 0, false, CallLimit.none(), session.quiet());
    }

    /** The same engine that keeps no vectors for the next run. */
    public Engine keepingNothing() {
        return new Engine(device, threads, batchTokens, false, calls, session, workers);
    }

    /** The same engine with another limit of calls. */
    public Engine with(CallLimit limit) {
        return new Engine(device, threads, batchTokens, keepVectors, limit, session, workers);
    }

    /** The same engine with other processes that work for it. */
    public Engine with(Workers helpers) {
        return new Engine(device, threads, batchTokens, keepVectors, calls, session, helpers);
    }

    /** posbias's own folder, for models and vectors. */
    public Path home() {
        return session.home();
    }

    /** Where to tell how far it is. */
    public Progress progress() {
        return session.progress();
    }

    /** Says a line on what is done. */
    public void say(String line) {
        session.say(line);
    }

    /** The tokens of one call on a device. */
    public int batchTokensOn(Device settled) {
        if (batchTokens > 0) {
            return batchTokens;
        }
        return settled.isCuda() ? CUDA_BATCH : CPU_BATCH;
    }
}

package io.posbias.model.encode;

import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import java.nio.file.Path;

/**
 * Execution settings of models. Only the device may change results, by rounding.
 *
 * @param device as requested; {@code OnnxRuntime} resolves {@code auto}
 * @param threads at least 1
 * @param batchTokens maximum tokens per call of a graph, except for a single longer text; 0 for the device's default
 * @param keepVectors true if vectors and scores are cached for the next run
 * @param calls limit of service calls
 */
public record Engine(
        Device device,
        int threads,
        int batchTokens,
        boolean keepVectors,
        CallLimit calls,
        Session session,
        Workers workers) {
    /** Fastest of 256 to 8,192 on 2 cores: see docs/performance.md. */
    private static final int CPU_BATCH = 512;

    /** A GPU needs more to be busy; this is still four texts of 8,192 tokens. */
    private static final int CUDA_BATCH = 32_768;

    public Engine(Device device, int threads, int batchTokens, boolean keepVectors, CallLimit calls, Session session) {
        this(device, threads, batchTokens, keepVectors, calls, session, Workers.NONE);
    }

    /** An engine without a cache, and without a limit of calls. */
    public Engine(Device device, int threads, Session session) {
        this(device, threads, 0, false, CallLimit.none(), session);
    }

    /** Returns an engine on the CPU without messages and without a cache. */
    public static Engine quiet(int threads, Session session) {
        return new Engine(Device.CPU, threads, session.quiet());
    }

    /** Returns an engine that prints nothing. */
    public Engine silent() {
        return new Engine(device, threads, batchTokens, keepVectors, calls, session.quiet(), workers);
    }

    public Engine with(CallLimit limit) {
        return new Engine(device, threads, batchTokens, keepVectors, limit, session, workers);
    }

    public Engine with(Workers helpers) {
        return new Engine(device, threads, batchTokens, keepVectors, calls, session, helpers);
    }

    public Path home() {
        return session.home();
    }

    public Progress progress() {
        return session.progress();
    }

    public void say(String line) {
        session.say(line);
    }

    /** Returns the maximum tokens per call on a resolved device. */
    public int batchTokensOn(Device settled) {
        if (batchTokens > 0) {
            return batchTokens;
        }
        return settled.isCuda() ? CUDA_BATCH : CPU_BATCH;
    }
}

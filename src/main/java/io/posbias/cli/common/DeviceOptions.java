package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Device;
import io.posbias.encode.Engine;
import picocli.CommandLine.Option;

/** On what models run; shared by all that evaluate. */
public final class DeviceOptions implements Checked {
    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description = "cpu, cuda, cuda:N or auto (default: ${DEFAULT-VALUE}).")
    private String device = "cpu";

    @Heading("Models:")
    @Option(
            names = "--batch-tokens",
            paramLabel = "N",
            description = "Tokens per batch (default: 512 on the CPU, 32768 on CUDA).")
    private int batchTokens;

    @Heading("Models:")
    @Option(names = "--no-cache", description = "Do not cache vectors or scores.")
    private boolean noCache;

    /** Checks what picocli cannot. */
    @Override
    public void check() {
        Device.parse(device);
        BaseCommand.refuse(batchTokens < 0, "--batch-tokens must be 1 or more, not " + batchTokens);
    }

    /** Whether vectors and scores are kept for the next run. */
    boolean keepsVectors() {
        return !noCache;
    }

    /** What models run on, without a limit of calls. */
    public Engine engine(int threads, Session session) {
        return engine(threads, CallLimit.none(), session);
    }

    /** What models run on. */
    public Engine engine(int threads, CallLimit calls, Session session) {
        return new Engine(Device.parse(device), threads, batchTokens, keepsVectors(), calls, session);
    }
}

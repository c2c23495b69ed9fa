package io.posbias.cli.common;

import io.posbias.base.process.Session;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import picocli.CommandLine.Option;

/** Device, batches and cache of models. */
public final class DeviceOptions implements Checked {
    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            description = "Device: cpu, cuda, cuda:N or auto (default: ${DEFAULT-VALUE}).")
    private String device = "cpu";

    @Heading("Models:")
    @Option(
            names = "--batch-tokens",
            paramLabel = "N",
            description = "Tokens per batch (default: 512 on the CPU, 32768 on CUDA).")
    private int batchTokens;

    @Heading("Models:")
    @Option(names = "--no-cache", description = "No cache of vectors and scores.")
    private boolean noCache;

    @Override
    public void check() {
        Device.parse(device);
        BaseCommand.refuse(batchTokens < 0, "--batch-tokens must be 1 or more, not " + batchTokens);
    }

    boolean keepsVectors() {
        return !noCache;
    }

    public Engine engine(int threads, Session session) {
        return engine(threads, CallLimit.none(), session);
    }

    public Engine engine(int threads, CallLimit calls, Session session) {
        return new Engine(Device.parse(device), threads, batchTokens, keepsVectors(), calls, session);
    }
}

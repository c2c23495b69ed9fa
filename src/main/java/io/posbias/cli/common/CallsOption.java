package io.posbias.cli.common;

import io.posbias.encode.CallLimit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How many calls of services cells may take; shared by {@code eval} and {@code mitigate}. */
public final class CallsOption {
    @Heading("Plan:")
    @Least(0)
    @Option(
            names = "--max-calls",
            paramLabel = "N",
            description = "Stop after N calls of services, with exit code 1; the same command continues. 0 only prints "
                    + "how many calls, texts and tokens there would be (default: no limit).")
    private @Nullable Integer most;

    /** A limit that nothing was counted against yet. */
    public CallLimit limit() {
        return most == null ? CallLimit.none() : new CallLimit(most);
    }
}

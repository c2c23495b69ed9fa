package io.posbias.cli.data;

import io.posbias.cli.common.Verb;
import io.posbias.dataset.convert.UnpackLimits;
import picocli.CommandLine.Option;

/** How much archives may unpack to. */
final class ArchiveOptions {
    private static final long GIGABYTE = 1_000_000_000;

    @Option(
            names = "--max-unpacked",
            paramLabel = "GB",
            description = "Gigabytes that an archive may unpack to (default: ${DEFAULT-VALUE}).")
    private int gigabytes = (int) (UnpackLimits.USUAL.bytes() / GIGABYTE);

    @Option(
            names = "--max-ratio",
            paramLabel = "N",
            description = "How many times its own size an archive may unpack to (default: ${DEFAULT-VALUE}).")
    private int ratio = UnpackLimits.USUAL.ratio();

    UnpackLimits limits() {
        Verb.refuse(gigabytes < 1, "--max-unpacked must be at least 1, not " + gigabytes);
        Verb.refuse(ratio < 1, "--max-ratio must be at least 1, not " + ratio);
        return new UnpackLimits(gigabytes * GIGABYTE, ratio);
    }
}

package io.posbias.cli.data;

import io.posbias.cli.common.Group;
import picocli.CommandLine.Command;

/** {@code posbias data}: benchmarks on disk. */
@Command(
        name = "data",
        description = "Build, fetch, sample and inspect benchmarks.",
        subcommands = {
            DataListCommand.class,
            DataInfoCommand.class,
            DataPullCommand.class,
            DataBuildCommand.class,
            DataSampleCommand.class,
            DataVerifyCommand.class,
        },
        footer = {"", "Examples:", "  posbias data list", "  posbias data info demo"})
public final class DataCommand extends Group {}

package io.posbias.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
final class DataCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}

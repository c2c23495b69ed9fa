package io.posbias.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code posbias diagnose}: what a benchmark's own documents say of a model when they are changed. */
@Command(
        name = "diagnose",
        description = "Change a benchmark's own documents and see what the scores do.",
        subcommands = {DiagnoseMovingCommand.class, DiagnoseNeedleCommand.class},
        footer = {
            "",
            "Examples:",
            "  posbias diagnose moving --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose needle --model all-minilm-l6-v2 --dataset demo",
        })
final class DiagnoseCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}

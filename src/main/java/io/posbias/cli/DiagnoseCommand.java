package io.posbias.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code posbias diagnose}: where a bias comes from. */
@Command(
        name = "diagnose",
        description = "Tell whether a gap comes from position, from content, or from the benchmark.",
        subcommands = {DiagnoseEvidenceCommand.class, DiagnoseReversalCommand.class},
        footer = {
            "",
            "Examples:",
            "  posbias diagnose evidence --dataset demo",
            "  posbias diagnose reversal --model bm25 --dataset demo",
        })
final class DiagnoseCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}

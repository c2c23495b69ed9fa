package io.posbias.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code posbias diagnose}: a benchmark's own documents, as they are and changed. */
@Command(
        name = "diagnose",
        description = "Look where a benchmark's evidence lies; change its documents and see what scores do.",
        subcommands = {
            DiagnoseEvidenceCommand.class,
            DiagnoseMovingCommand.class,
            DiagnoseNeedleCommand.class,
            DiagnoseReversalCommand.class,
            DiagnoseSegmentsCommand.class,
            DiagnoseSaliencyCommand.class,
        },
        footer = {
            "",
            "Examples:",
            "  posbias diagnose moving --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose reversal --model all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose evidence --dataset demo",
            "  posbias diagnose needle --model all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose segments --model all-minilm-l6-v2 --dataset squad-posq",
            "  posbias diagnose saliency --model bm25,all-minilm-l6-v2 --dataset demo",
        })
final class DiagnoseCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }
}

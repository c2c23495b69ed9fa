package io.posbias.cli.diagnose;

import io.posbias.cli.common.Group;
import picocli.CommandLine.Command;

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
public final class DiagnoseCommand extends Group {}

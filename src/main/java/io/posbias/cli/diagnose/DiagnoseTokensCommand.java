package io.posbias.cli.diagnose;

import io.posbias.study.diagnose.SaliencySettings.SaliencyMethod;
import picocli.CommandLine.Command;

@Command(
        name = "tokens",
        description = "Split scores over tokens: saliency --method decompx.",
        footer = {
            "",
            "DecompX splits the vectors of query and document over their tokens; the inner products of these parts sum to "
                    + "the score. BERT and RoBERTa; needs Python (docs/worker.md#inside-a-model).",
            "",
            "Examples:",
            "  posbias diagnose tokens --model all-minilm-l6-v2 --dataset demo --n 20",
            "  posbias diagnose tokens --model all-minilm-l6-v2 --dataset demo \\",
            "      --examples 3 --html tokens.html --plots pictures",
            "  posbias diagnose tokens --model all-minilm-l6-v2 --data redocred \\",
            "      --probe foil --plots pictures",
        })
final class DiagnoseTokensCommand extends DiagnoseSaliencyCommand {
    DiagnoseTokensCommand() {
        super(SaliencyMethod.DECOMPX);
    }
}

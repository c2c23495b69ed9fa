package io.posbias.cli.diagnose;

import io.posbias.ExitCode;
import io.posbias.UsageException;
import io.posbias.cli.common.Verb;
import io.posbias.diagnose.Documents;
import io.posbias.diagnose.EvidenceMover;
import io.posbias.diagnose.MovingDiagnosis;
import io.posbias.retrieve.Recipe;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias diagnose moving}: the evidence at several places of its own document. */
@Command(
        name = "moving",
        description = {
            "Move the sentence that holds the evidence through its own document, and see how",
            "the score of query and document follows."
        },
        sortOptions = false,
        footer = {
            "",
            "Only queries with an evidence span in one relevant passage of at least " + EvidenceMover.LEAST_SENTENCES
                    + " sentences count.",
            "",
            "Examples:",
            "  posbias diagnose moving --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose moving --model my.yaml --dataset squad-posq --n 500",
        })
final class DiagnoseMovingCommand extends Verb {
    private static final int MOST = 1_000;

    @Mixin
    private DiagnoseOptions options = new DiagnoseOptions();

    @Option(
            names = "--positions",
            paramLabel = "N",
            defaultValue = "10",
            description = "Places, evenly spaced, from 2 to " + MOST + " (default: ${DEFAULT-VALUE}).")
    private int positions;

    @Override
    public Integer call() {
        if (positions < 2 || positions > MOST) {
            throw new UsageException("--positions must be from 2 to " + MOST + ", not " + positions);
        }
        List<Recipe> recipes = options.checked();
        Documents documents = options.documents(session());
        options.look(this, new MovingDiagnosis(documents, positions, options.confidence(), session()), recipes);
        return ExitCode.OK;
    }
}

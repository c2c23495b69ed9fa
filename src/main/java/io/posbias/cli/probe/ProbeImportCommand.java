package io.posbias.cli.probe;

import io.posbias.base.files.Staging;
import io.posbias.cli.common.DatasetCommand;
import io.posbias.cli.common.Group;
import io.posbias.study.probe.redocred.ColderImport;
import io.posbias.study.probe.redocred.RedocredProbes;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "import",
        description = "Import published pairs.",
        subcommands = {ProbeImportCommand.Colder.class},
        footer = {
            "",
            "Example:",
            "  posbias probe import colder test/*.jsonl --out colder",
        })
final class ProbeImportCommand extends Group {
    @Command(
            name = "colder",
            description = "Import the pairs released by ColDeR's authors.",
            footer = {
                "",
                "They are in the folder test of mohsenfayyaz/ColDeR on the Hugging Face Hub; 'posbias probe run --with-published' can then be compared with the paper digit by digit.",
                "",
                "The released files say what they are by their names: foil, poison, answer_importance, "
                        + "position_bias, literal_bias, brevity_bias, repetition_bias.",
                "",
                "Examples:",
                "  posbias probe import colder foil.jsonl poison.jsonl --out colder",
                "  posbias probe run --model dragon-plus --data colder --with-published",
            })
    static final class Colder extends DatasetCommand {
        @Parameters(arity = "1..*", paramLabel = "FILE", description = "Released files: .jsonl, .jsonl.gz or .parquet.")
        private List<Path> files = List.of();

        @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder of the new probes.")
        private Path out = Path.of("");

        @Option(names = "--overwrite", description = "Replace all probes in the folder.")
        private boolean overwrite;

        @Override
        protected void work() {
            try (Staging staging = Staging.beside(out, session())) {
                replaceable(out, overwrite, RedocredProbes::isPart, "probes", "them");
                new ColderImport(files).write(staging, this::say);
            }
        }
    }
}

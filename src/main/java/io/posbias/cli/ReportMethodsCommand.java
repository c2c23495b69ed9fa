package io.posbias.cli;

import io.posbias.base.text.Suggestions;
import io.posbias.cli.common.BaseCommand;
import io.posbias.report.Methods;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFiles;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias report methods}: the paragraph on methods for a paper. */
@Command(
        name = "methods",
        description = "Print the paragraph on methods for a paper, from stored results.",
        footer = {
            "",
            "A paragraph per benchmark and settings: design, tests, intervals, clusters, correction, draws, seed and version, "
                    + "then what is cited in BibTeX.",
            "",
            "Examples:",
            "  posbias report methods results",
            "  posbias report methods results/demo --format latex > methods.tex",
        })
final class ReportMethodsCommand extends BaseCommand {
    private enum Form {
        TEXT,
        LATEX;

        @Override
        public String toString() {
            return Suggestions.word(this);
        }
    }

    @Parameters(
            paramLabel = "RESULT",
            arity = "0..*",
            description = "Results: result.json files, or folders to search (default: results).")
    private List<Path> inputs = List.of();

    @Option(
            names = "--dataset",
            split = ",",
            paramLabel = "DATASET,..",
            description = "Datasets: names or patterns, for example 'posir/*' (* does not match /).")
    private List<String> datasets = List.of();

    @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Form form = Form.TEXT;

    @Override
    protected void work() {
        List<Result> results =
                ResultFiles.read(inputs.isEmpty() ? List.of(ResultFolder.ROOT) : inputs, datasets).stream()
                        .map(StoredCell::result)
                        .toList();
        print(Methods.of(results).print(form == Form.LATEX, 80));
    }
}

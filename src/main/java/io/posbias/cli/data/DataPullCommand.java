package io.posbias.cli.data;

import io.posbias.ExitCode;
import io.posbias.cli.common.Verb;
import io.posbias.dataset.convert.CatalogEntry;
import io.posbias.evaluate.Datasets;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias data pull}: a benchmark from the Hugging Face Hub. */
@Command(
        name = "pull",
        description = {
            "Fetch benchmarks from the Hugging Face Hub into posbias's cache and convert them. A broken",
            "download is continued, what the Hub's own cache holds is reused, every file is verified."
        },
        footer = {
            "",
            "Environment: POSBIAS_HOME (cache, default ~/.cache/posbias), HF_ENDPOINT, HF_TOKEN, HF_HOME,",
            "HF_HUB_CACHE, HF_HUB_OFFLINE.",
            "",
            "Examples:",
            "  posbias data pull squad-posq-tiny",
            "  posbias data pull 'posir/eng-Latn/*'",
            "  posbias data pull posir/fra-Latn-eng-Latn/law_judiciary",
        })
final class DataPullCommand extends Verb {
    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names or patterns from 'posbias data list --all'.")
    private List<String> names = List.of();

    @Option(names = "--overwrite", description = "Fetch and convert again what is here already.")
    private boolean overwrite;

    @Override
    public Integer call() {
        Datasets datasets = new Datasets(session());
        List<CatalogEntry> entries = names.stream()
                .flatMap(name -> datasets.catalog().matching(name).stream())
                .distinct()
                .toList();
        for (CatalogEntry entry : entries) {
            printLine(entry.name() + ": " + datasets.puller().pull(entry, overwrite));
        }
        return ExitCode.OK;
    }
}

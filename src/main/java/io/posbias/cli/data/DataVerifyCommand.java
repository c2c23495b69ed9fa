package io.posbias.cli.data;

import io.posbias.ExitCode;
import io.posbias.UsageException;
import io.posbias.cli.common.Verb;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetFiles;
import io.posbias.dataset.DatasetReader;
import io.posbias.evaluate.Datasets;
import io.posbias.position.Bucketing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code posbias data verify}: is a benchmark whole? */
@Command(
        name = "verify",
        description = {
            "Check all of a benchmark: file format, unique identifiers, judgements that name existing queries",
            "and passages, evidence inside its passage, recorded digests."
        },
        footer = {"", "Examples:", "  posbias data verify my-squad", "  posbias data verify --write my-squad"})
final class DataVerifyCommand extends Verb {
    @Parameters(paramLabel = "DATASET", description = "A folder, or a name from 'posbias data list'.")
    private String name = "";

    @Option(
            names = "--write",
            description = "Record the files' present digests in dataset.yaml, accepting what changed.")
    private boolean write;

    @Override
    public Integer call() {
        Path folder = new Datasets(session()).folder(name);
        if (write) {
            if (!Files.isWritable(folder)) {
                throw new UsageException("cannot write to " + folder);
            }
            DatasetCard card = DatasetCard.read(folder).withSha256(Map.of());
            card.withSha256(DatasetFiles.find(folder).checksums()).write(folder);
        }
        Dataset dataset = DatasetReader.open(folder);
        if (!dataset.card().bucketing().isEmpty()) {
            Bucketing.parse(dataset.card().bucketing());
        }
        printLine(dataset.name() + ": " + dataset.passages().size() + " passages, "
                + dataset.queries().size() + " queries, "
                + dataset.judgedQueries().size() + " with judgements: sound");
        dataset.checksums().forEach((file, sum) -> printLine("  " + sum + "  " + file));
        if (dataset.card().sha256().isEmpty()) {
            printLine("  dataset.yaml records no digests; --write adds them");
        }
        return ExitCode.OK;
    }
}

package io.posbias.cli;

import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.Query;
import io.posbias.measure.EvidencePlaces;
import io.posbias.measure.Profiler;
import io.posbias.report.EvidenceTables;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code posbias diagnose evidence}: where the evidence of a benchmark lies. */
@Command(
        name = "evidence",
        description = {
            "Show where in its passages the evidence of a benchmark lies, by its judged queries, and test whether",
            "it is spread evenly."
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  posbias diagnose evidence --dataset demo",
            "  posbias diagnose evidence --dataset my-squad --bins 20 --format csv",
        })
final class DiagnoseEvidenceCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--dataset",
            required = true,
            paramLabel = "DATASET",
            description = "A name from 'posbias data list' or a folder.")
    private String name = "";

    @Option(
            names = "--bins",
            paramLabel = "N",
            defaultValue = "10",
            description = "Equal bins of relative position, 2 or more (default: ${DEFAULT-VALUE}).")
    private int bins;

    @Option(
            names = "--confidence",
            paramLabel = "P",
            defaultValue = "" + Profiler.CONFIDENCE,
            description = "Confidence of intervals (default: ${DEFAULT-VALUE}).")
    private double confidence;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "What to print: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private PrintOptions.Format format = PrintOptions.Format.TABLE;

    @Override
    public void run() {
        if (bins < 2) {
            throw new UsageException("--bins must be at least 2, not " + bins);
        }
        if (!(confidence > 0 && confidence < 1)) {
            throw new UsageException("--confidence must be between 0 and 1, not " + confidence);
        }
        PrintWriter err = spec.commandLine().getErr();
        Dataset dataset = DatasetReader.open(new Datasets(err).folder(name));
        List<Query> queries = dataset.judgedQueries();
        int placed = EvidencePlaces.placed(queries).size();
        if (placed < EvidencePlaces.LEAST) {
            throw new UsageException("dataset " + dataset.name() + " says of " + placed + " judged queries where their"
                    + " evidence lies: at least " + EvidencePlaces.LEAST + " with pos_char_span are needed");
        }
        print(dataset, EvidencePlaces.of(queries, bins, confidence));
    }

    private void print(Dataset dataset, EvidencePlaces places) {
        boolean bars = format == PrintOptions.Format.TABLE;
        format.print(
                spec.commandLine().getOut(),
                () -> EvidenceTables.toBytes(dataset.name(), dataset.checksums(), places, confidence),
                () -> EvidenceTables.table(dataset.name(), places, confidence, bars));
    }
}

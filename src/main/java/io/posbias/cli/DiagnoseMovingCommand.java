package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.PosbiasException;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.probe.EvidenceMover;
import io.posbias.probe.MovingCurve;
import io.posbias.probe.ProbeItem;
import io.posbias.report.DiagnoseTables;
import io.posbias.report.Table;
import io.posbias.report.plot.DiagnosePlots;
import io.posbias.retrieve.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
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
final class DiagnoseMovingCommand implements Callable<Integer> {
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
        Dataset dataset = options.open();
        List<ProbeItem> items = items(dataset);
        Map<String, MovingCurve> curves = options.score(
                recipes,
                dataset,
                items,
                scored -> MovingCurve.of(scored, options.confidence()),
                DiagnoseTables::fields);
        List<Table> tables = new ArrayList<>();
        tables.add(DiagnoseTables.peaks(curves, options.confidence()));
        curves.forEach((model, curve) -> tables.add(DiagnoseTables.places(model, curve, options.confidence())));
        options.print(tables, DiagnoseTables.tidy(curves));
        options.draw(folder -> DiagnosePlots.moving(dataset.name(), curves, folder));
        return ExitCode.OK;
    }

    private List<ProbeItem> items(Dataset dataset) {
        Documents documents = new Documents(dataset);
        List<Query> evident = documents.evident();
        if (evident.isEmpty()) {
            throw new UsageException("dataset " + dataset.name()
                    + " has no query with an evidence span in its one relevant passage; there is nothing to move");
        }
        List<Documents.Document> read = options.documents(documents, evident);
        List<ProbeItem> items = new ArrayList<>();
        int unfit = 0;
        for (Documents.Document document : read) {
            Query query = document.query();
            Optional<EvidenceMover> mover =
                    EvidenceMover.of(document.sentences(), Objects.requireNonNull(document.evidence()));
            mover.ifPresent(found -> items.addAll(found.items(query.id(), query.text(), positions)));
            unfit += mover.isPresent() ? 0 : 1;
        }
        String leftOut = "fewer than " + EvidenceMover.LEAST_SENTENCES + " sentences or nothing but evidence";
        if (items.isEmpty()) {
            throw new PosbiasException(
                    dataset.name() + ": all " + unfit + " documents have " + leftOut + "; there is nothing to move");
        }
        options.say(dataset.name() + ": " + (read.size() - unfit) + " documents; " + unfit + " left out with "
                + leftOut + "; " + (dataset.judgedQueries().size() - evident.size())
                + " queries without a span in one relevant passage");
        return items;
    }
}

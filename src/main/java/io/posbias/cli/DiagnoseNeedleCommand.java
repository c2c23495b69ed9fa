package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.PosbiasException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.probe.Needle;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ProbeResult;
import io.posbias.report.DiagnoseTables;
import io.posbias.report.TidyProbes;
import io.posbias.report.plot.DiagnosePlots;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias diagnose needle}: irrelevant text put in, thirds taken out. */
@Command(
        name = "needle",
        description = {
            "Put an irrelevant passage at the beginning, middle or end of relevant documents, and",
            "take out each third of them: how much does the score of query and document change?"
        },
        sortOptions = false,
        footer = {
            "",
            "Only documents of at least " + Needle.LEAST_SENTENCES + " sentences count.",
            "",
            "Examples:",
            "  posbias diagnose needle --model bm25,all-minilm-l6-v2 --dataset demo",
            "  posbias diagnose needle --model my.yaml --dataset mine --needle noise.txt",
        })
final class DiagnoseNeedleCommand implements Callable<Integer> {
    private static final String ENGLISH = "en";

    @Mixin
    private DiagnoseOptions options = new DiagnoseOptions();

    @Option(
            names = "--needle",
            paramLabel = "FILE",
            description = "An irrelevant passage of your own, in UTF-8 (default: three English sentences).")
    private @Nullable Path file;

    @Override
    public Integer call() {
        List<Recipe> recipes = options.checked();
        Needle needle = file == null ? Needle.bundled() : Needle.read(file);
        Dataset dataset = options.open();
        List<ProbeItem> items = items(dataset, needle);
        Map<String, ProbeResult> results = options.score(
                recipes,
                dataset,
                items,
                scored -> ProbeResult.of(scored, options.confidence()),
                DiagnoseTables::fields);
        options.print(List.of(DiagnoseTables.changes(results, options.confidence())), TidyProbes.of(results, false));
        options.draw(folder -> DiagnosePlots.needle(dataset.name(), results, folder));
        return ExitCode.OK;
    }

    private List<ProbeItem> items(Dataset dataset, Needle needle) {
        String language = dataset.card().language();
        if (file == null && !language.equals(ENGLISH) && !language.isEmpty()) {
            options.say("warning: the passage put in is English, the documents are \"" + language
                    + "\"; give one in their language with --needle");
        }
        Documents documents = new Documents(dataset);
        List<Query> answered = documents.answered();
        if (answered.isEmpty()) {
            throw new PosbiasException(
                    dataset.name() + " has no query with a relevant passage; there is nothing to change");
        }
        List<Documents.Document> read = options.documents(documents, answered);
        List<Documents.Document> fit = read.stream()
                .filter(document -> document.sentences().size() >= Needle.LEAST_SENTENCES)
                .toList();
        if (fit.isEmpty()) {
            throw new PosbiasException(dataset.name() + ": all " + read.size() + " documents have fewer than "
                    + Needle.LEAST_SENTENCES + " sentences; there are no thirds to take out");
        }
        options.say(dataset.name() + ": " + fit.size() + " documents; " + (read.size() - fit.size())
                + " left out with fewer than " + Needle.LEAST_SENTENCES + " sentences");
        List<ProbeItem> items = new ArrayList<>();
        fit.forEach(document -> items.addAll(needle.items(
                document.query().id(), document.query().text(), document.sentences(), document.evidence())));
        // Tables show changes in the order of their first items, which must not hang on where the evidence lies.
        items.sort(Comparator.comparingInt(item -> Needle.changes().indexOf(item.probe())));
        return items;
    }
}

package io.posbias.cli;

import io.posbias.base.files.Staging;
import io.posbias.base.process.ExitCode;
import io.posbias.base.table.TerminalStyle;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.TableLook;
import io.posbias.score.gate.Check;
import io.posbias.score.gate.Condition;
import io.posbias.score.gate.GateReport;
import io.posbias.score.gate.PairedGate;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.StoredCell;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "gate",
        description = "Compare results with earlier ones; exit with 3 if they got worse.",
        footer = {
            "",
            "Queries are compared one by one, and a change counts when its whole interval lies beyond the condition:"
                    + " noise passes. psi is PSI of the first measure, psi(R@100) that of another; cpsi that with the"
                    + " content held fixed, and loss the net loss at the back then; a measure's name means its query mean"
                    + " and the mean of every bucket. With m numbers each interval has confidence 1 - (1 - P) / m.",
            "",
            "With --fail-on any all means, PSI and scores of queries must be the same to the last bit.",
            "",
            "Examples:",
            "  posbias gate --baseline main/demo/bm25 --result results/demo/bm25",
            "  posbias gate --baseline main/demo/bm25 --result results/demo/bm25 \\",
            "      --fail-on 'psi>+0.01,nDCG@10<-0.005' --format junit --output gate.xml",
            "  posbias gate --baseline main/demo/bm25 --result results/demo/bm25 \\",
            "      --fail-on any",
        })
final class GateCommand extends BaseCommand {
    enum Format {
        TEXT,
        JSON,
        JUNIT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--baseline",
            required = true,
            paramLabel = "FOLDER",
            description = "Folder of an earlier finished cell, or its result.json. Repeatable.")
    private List<Path> baselines = List.of();

    @Option(
            names = "--result",
            required = true,
            paramLabel = "FOLDER",
            description = "Folder of a finished cell, or its result.json. Repeatable.")
    private List<Path> results = List.of();

    @Option(names = "--allow-other-model", description = "Allow results of another model or on another dataset.")
    private boolean allowOtherModel;

    @Option(
            names = "--fail-on",
            paramLabel = "CONDITION,..",
            description = "Changes to fail on, as fractions or percentages, or any (default: psi>+0.01,MEASURE<-0.005"
                    + " with the first measure of both results, and cpsi>+0.01 where all held the content fixed).")
    private @Nullable String failOn;

    @Heading("Statistics:")
    @Option(
            names = "--confidence",
            paramLabel = "P",
            description = "Confidence of the gate as a whole (default: ${DEFAULT-VALUE}).")
    private double confidence = Settings.USUAL.confidence();

    @Heading("Statistics:")
    @Option(
            names = "--cluster",
            paramLabel = "UNIT",
            description = "Count queries as one that share a passage, an article, or none: "
                    + "${COMPLETION-CANDIDATES} (default: as today's cells were evaluated).")
    private Clustering.@Nullable By cluster;

    @Heading("Statistics:")
    @Least(1)
    @Option(
            names = "--draws",
            paramLabel = "N",
            description = "Bootstrap draws behind changes of PSI; more are made where the number of tests needs them "
                    + "(default: ${DEFAULT-VALUE}).")
    private int draws = Settings.USUAL.draws();

    @Heading("Statistics:")
    @Option(names = "--seed", paramLabel = "S", description = "Seed of the random draws (default: ${DEFAULT-VALUE}).")
    private long seed = Settings.USUAL.seed();

    @Heading("Output:")
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    @Heading("Output:")
    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "File for the report; the text report is still printed.")
    private @Nullable Path output;

    @Mixin
    private TableLook look = new TableLook();

    @Override
    public Integer call() {
        check();
        GateReport report = compare();
        print(report);
        return report.passes() ? ExitCode.OK : ExitCode.GATE;
    }

    private void check() {
        if (output != null) {
            Staging.checkFile(output);
        }
        confidence(confidence);
        for (Path file : results) {
            refuse(!Files.exists(file), "--result " + file + ": file not found");
        }
        for (Path file : baselines) {
            refuse(!Files.exists(file), "--baseline " + file + ": file not found");
        }
    }

    private GateReport compare() {
        List<StoredCell> before = baselines.stream().map(StoredCell::read).toList();
        List<StoredCell> after = results.stream().map(StoredCell::read).toList();
        Map<String, StoredCell> byName = matched(before, after);
        List<PairedGate.Versions> versions = new ArrayList<>();
        List<Check> checks = new ArrayList<>();
        for (StoredCell old : before) {
            StoredCell today = byName.get(old.name());
            if (today == null) {
                checks.add(new Check(
                        old.name(), "result", Check.Outcome.MISSING, "missing: " + old.name() + ": no result", null));
            } else {
                versions.add(new PairedGate.Versions(old.queries(cluster), today.queries(cluster)));
            }
        }
        PairedGate gate = new PairedGate(
                failOn == null ? PairedGate.usual(versions) : Condition.parseAll(failOn),
                Settings.USUAL.withDraws(draws).withSeed(seed).withConfidence(confidence),
                Runtime.getRuntime().availableProcessors());
        return gate.compare(versions, checks);
    }

    private Map<String, StoredCell> matched(List<StoredCell> before, List<StoredCell> after) {
        if (before.size() == 1 && after.size() == 1) {
            String was = before.getFirst().name();
            String is = after.getFirst().name();
            refuse(
                    !allowOtherModel && !was.equals(is),
                    "the baseline is of " + was + ", the result of " + is
                            + ": use --allow-other-model to compare them");
            return Map.of(before.getFirst().name(), after.getFirst());
        }
        List<String> names = before.stream().map(StoredCell::name).toList();
        String listed = String.join(", ", names);
        refuse(
                names.stream().distinct().count() < names.size(),
                "two baselines of one model on one dataset: " + listed);
        Map<String, StoredCell> byName = new HashMap<>();
        for (StoredCell cell : after) {
            // Without a baseline, a result would pass unchecked.
            refuse(!names.contains(cell.name()), "no baseline of " + cell.name() + "; baselines: " + listed);
            refuse(byName.put(cell.name(), cell) != null, "two results of " + cell.name() + ": give one");
        }
        return byName;
    }

    private void print(GateReport report) {
        if (output != null) {
            Staging.writeFile(output, text(report, look.inFile()));
        }
        TerminalStyle style = look.style(session());
        print(output == null ? text(report, style) : report.text(style, look.detail()));
    }

    private String text(GateReport report, TerminalStyle style) {
        return switch (format) {
            case TEXT -> report.text(style, look.detail());
            case JSON -> new String(report.json(), StandardCharsets.UTF_8);
            case JUNIT -> report.junit();
        };
    }
}

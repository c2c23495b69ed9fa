package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.Staging;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Verb;
import io.posbias.gate.Baseline;
import io.posbias.gate.Check;
import io.posbias.gate.Condition;
import io.posbias.gate.Gate;
import io.posbias.gate.GateReport;
import io.posbias.gate.PairedGate;
import io.posbias.measure.Profiler;
import io.posbias.measure.Units;
import io.posbias.result.FinishedCell;
import io.posbias.result.Result;
import io.posbias.result.ResultFile;
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
import picocli.CommandLine.Option;

@Command(
        name = "gate",
        commandListHeading = "Look at results:",
        description = "Compare results with a baseline; exit with 3 if they differ.",
        sortOptions = false,
        footer = {
            "",
            "With a baseline file every number in it is compared: means, PSI, buckets and numbers of "
                    + "queries. One that the results lack is a finding. A number may have a tolerance of its own in "
                    + "the file.",
            "",
            "With the folder of an earlier result as the baseline, queries are compared one by one, and a "
                    + "change counts when its whole interval lies beyond the condition: noise passes. psi is PSI of "
                    + "the first measure, psi(R@100) that of another; cpsi that with the content held fixed; a measure's name means "
                    + "its query mean and the mean of every bucket. With m numbers each interval has confidence 1 - (1 - P) / m.",
            "",
            "Examples:",
            "  posbias gate --write --baseline baseline.json \\",
            "      --result results/demo/bm25/result.json",
            "  posbias gate --baseline baseline.json --result results/demo/bm25/result.json",
            "  posbias gate --baseline main/demo/bm25 --result results/demo/bm25 \\",
            "      --fail-on 'psi>+0.01,nDCG@10<-0.005' --format junit --output gate.xml",
        })
final class GateCommand extends Verb {
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
            paramLabel = "FILE|FOLDER",
            description = "A baseline file; or the folder of a finished cell to compare query by query, which may be "
                    + "given several times.")
    private List<Path> baselines = List.of();

    @Option(
            names = "--result",
            required = true,
            paramLabel = "FILE|FOLDER",
            description = "A result.json or the folder of a finished cell; may be given several times.")
    private List<Path> results = List.of();

    @Heading("With a baseline file:")
    @Option(
            names = "--tolerance",
            paramLabel = "FRACTION",
            description = "By how much a number may differ, as a fraction; numbers with a "
                    + "tolerance of their own keep it (default: what the baseline says, " + Baseline.TOLERANCE
                    + " when written by posbias).")
    private @Nullable Double tolerance;

    @Heading("With a baseline file:")
    @Option(
            names = "--allow-better",
            description = "Let higher means and lower PSI pass, whatever the tolerance; they are " + "still printed.")
    private boolean allowBetter;

    @Heading("With a baseline file:")
    @Option(names = "--write", description = "Write the results' numbers as the baseline file instead.")
    private boolean write;

    @Heading("With a baseline file:")
    @Option(names = "--overwrite", description = "With --write: replace the baseline file that is there.")
    private boolean overwrite;

    @Heading("With the folder of an earlier result:")
    @Option(
            names = "--allow-other-model",
            description = "Compare with the result of another model, or on another dataset, on purpose.")
    private boolean allowOtherModel;

    @Heading("With the folder of an earlier result:")
    @Option(
            names = "--fail-on",
            paramLabel = "CONDITION,..",
            description = "Changes to fail on, as fractions (default: "
                    + "psi>+0.01,MEASURE<-0.005 with the first measure of each result, and cpsi>+0.01 where all held the "
                    + "content fixed).")
    private @Nullable String failOn;

    @Heading("With the folder of an earlier result:")
    @Option(
            names = "--confidence",
            paramLabel = "P",
            description = "Confidence of the gate as a whole (default: " + Profiler.CONFIDENCE + ").")
    private @Nullable Double confidence;

    @Heading("With the folder of an earlier result:")
    @Option(
            names = "--cluster",
            paramLabel = "UNIT",
            description = "Count queries as one that share a passage, an article, or none: "
                    + "${COMPLETION-CANDIDATES} (default: as today's cells were evaluated).")
    private Units.@Nullable By cluster;

    @Heading("With the folder of an earlier result:")
    @Option(
            names = "--draws",
            paramLabel = "N",
            description = "Bootstrap draws behind changes of PSI (default: " + Profiler.DRAWS + ").")
    private @Nullable Integer draws;

    @Heading("With the folder of an earlier result:")
    @Option(names = "--seed", paramLabel = "S", description = "Seed of the random draws (default: 42).")
    private @Nullable Long seed;

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
            description = "Write the report to this file and print the text report.")
    private @Nullable Path output;

    @Override
    public Integer call() {
        check();
        if (write) {
            return write();
        }
        GateReport report = byFile() ? compareNumbers() : compareQueries();
        print(report);
        return report.passes() ? ExitCode.OK : ExitCode.GATE;
    }

    private void check() {
        if (output != null) {
            Staging.check(output);
        }
        atLeast("--tolerance", tolerance, 0);
        confidence(confidence);
        atLeast("--draws", draws, 1);
        for (Path file : results) {
            refuse(!Files.exists(file), "--result " + file + ": no such file");
        }
        for (Path file : baselines) {
            refuse(!write && !Files.exists(file), "--baseline " + file + ": no such file; --write makes one");
        }
        refuse(
                byFile() && (failOn != null || confidence != null || cluster != null || draws != null || seed != null),
                "--fail-on, --confidence, --cluster, --draws and --seed need the folder of a finished cell as --baseline: a"
                        + " baseline file holds no queries");
        refuse(
                !byFile() && (tolerance != null || allowBetter),
                "--tolerance and --allow-better belong to a baseline file; with a folder, say --fail-on");
        refuse(byFile() && baselines.size() > 1, "give one baseline file");
        belongs(overwrite && !write, "--overwrite", "--write");
        refuse(
                write && !overwrite && Files.exists(baselines.getFirst()),
                "--baseline " + baselines.getFirst() + " is there: use --overwrite to replace it");
        refuse(
                byFile() && allowOtherModel,
                "--allow-other-model belongs to the folder of a finished cell: a baseline file names its models");
    }

    /** A file that is not the result of a cell is a baseline, or is to become one. */
    private boolean byFile() {
        return write
                || baselines.stream().anyMatch(path -> !Files.isDirectory(path) && !path.endsWith(ResultFile.NAME));
    }

    private List<Result> read() {
        return results.stream()
                .map(path -> Files.isDirectory(path) ? path.resolve(ResultFile.NAME) : path)
                .flatMap(file -> ResultFile.read(file).stream())
                .toList();
    }

    private int write() {
        Baseline made = Baseline.of(read(), tolerance == null ? Baseline.TOLERANCE : tolerance);
        made.write(baselines.getFirst());
        printLine(made.numbers().size() + " numbers written to " + baselines.getFirst());
        return ExitCode.OK;
    }

    private GateReport compareNumbers() {
        List<Check> checks = Gate.compare(Baseline.read(baselines.getFirst()), read(), tolerance);
        return new GateReport(checks, allowBetter, "");
    }

    private GateReport compareQueries() {
        List<FinishedCell> before = baselines.stream().map(FinishedCell::read).toList();
        List<FinishedCell> after = results.stream().map(FinishedCell::read).toList();
        PairedGate gate = new PairedGate(
                failOn == null
                        ? PairedGate.usual(
                                after.stream().map(FinishedCell::result).toList())
                        : Condition.parseAll(failOn),
                draws == null ? Profiler.DRAWS : draws,
                seed == null ? 42 : seed,
                confidence == null ? Profiler.CONFIDENCE : confidence,
                Runtime.getRuntime().availableProcessors());
        Map<String, FinishedCell> byName = matched(before, after);
        List<PairedGate.Versions> versions = new ArrayList<>();
        List<Check> checks = new ArrayList<>();
        for (FinishedCell old : before) {
            FinishedCell today = byName.get(old.name());
            if (today == null) {
                checks.add(new Check(
                        old.name(), "result", Check.Outcome.MISSING, "missing: " + old.name() + ": no result", null));
            } else {
                versions.add(new PairedGate.Versions(old.queries(cluster), today.queries(cluster)));
            }
        }
        PairedGate.Outcomes outcomes = gate.compare(versions);
        checks.addAll(outcomes.checks());
        return new GateReport(checks, false, outcomes.how());
    }

    /** Today's results by the names of their baselines; one alone may belong to the only baseline, if that is meant. */
    private Map<String, FinishedCell> matched(List<FinishedCell> before, List<FinishedCell> after) {
        if (before.size() == 1 && after.size() == 1) {
            String was = before.getFirst().name();
            String is = after.getFirst().name();
            refuse(
                    !allowOtherModel && !was.equals(is),
                    "the baseline is of " + was + ", the result of " + is
                            + ": use --allow-other-model to compare them");
            return Map.of(before.getFirst().name(), after.getFirst());
        }
        List<String> names = before.stream().map(FinishedCell::name).toList();
        String listed = String.join(", ", names);
        refuse(
                names.stream().distinct().count() < names.size(),
                "two baselines of one model on one dataset: " + listed);
        Map<String, FinishedCell> byName = new HashMap<>();
        for (FinishedCell cell : after) {
            // A result without a baseline would pass unseen.
            refuse(!names.contains(cell.name()), "no baseline of " + cell.name() + "; baselines: " + listed);
            byName.putIfAbsent(cell.name(), cell);
        }
        return byName;
    }

    private void print(GateReport report) {
        String text = switch (format) {
            case TEXT -> report.text();
            case JSON -> new String(report.json(), StandardCharsets.UTF_8);
            case JUNIT -> report.junit();
        };
        if (output != null) {
            Staging.writeFile(output, text);
        }
        print(output == null ? text : report.text());
    }
}

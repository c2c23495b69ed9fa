package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.UsageException;
import io.posbias.gate.Baseline;
import io.posbias.gate.Gate;
import io.posbias.report.Result;
import io.posbias.report.ResultFile;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code posbias gate}: today against a baseline. */
@Command(
        name = "gate",
        description = "Compare results with a baseline; exit 3 when a number differs.",
        sortOptions = false,
        footer = {
            "",
            "Every number of the baseline is compared: means, PSI, buckets and numbers of queries. One that the",
            "results lack is a finding. A number may have a tolerance of its own in the baseline file.",
            "",
            "Examples:",
            "  posbias gate --write --baseline baseline.json \\",
            "      --result results/demo/bm25/result.json",
            "  posbias gate --baseline baseline.json --result results/demo/bm25/result.json",
        })
final class GateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--baseline", required = true, paramLabel = "FILE", description = "The baseline.")
    private Path baseline = Path.of("");

    @Option(
            names = "--result",
            required = true,
            paramLabel = "FILE",
            description = "A result.json; may be given several times.")
    private List<Path> results = List.of();

    @Option(
            names = "--tolerance",
            paramLabel = "FRACTION",
            description = {
                "By how much a number may differ, as a fraction; numbers with a tolerance of their own keep it",
                "(default: what the baseline says, " + Baseline.TOLERANCE + " when written by posbias)."
            })
    private @Nullable Double tolerance;

    @Option(
            names = "--allow-better",
            description = "Let higher means and lower PSI pass, whatever the tolerance; they are still printed.")
    private boolean allowBetter;

    @Option(names = "--write", description = "Write the results' numbers as the baseline instead.")
    private boolean write;

    @Override
    public Integer call() {
        if (tolerance != null && (tolerance.isNaN() || tolerance < 0)) {
            throw new UsageException("--tolerance must be 0 or more, not " + tolerance);
        }
        for (Path file : results) {
            if (!Files.isRegularFile(file)) {
                throw new UsageException("--result " + file + ": no such file");
            }
        }
        List<Result> read =
                results.stream().flatMap(file -> ResultFile.read(file).stream()).toList();
        PrintWriter out = spec.commandLine().getOut();
        if (write) {
            Baseline made = Baseline.of(read, tolerance == null ? Baseline.TOLERANCE : tolerance);
            made.write(baseline);
            out.println(made.numbers().size() + " numbers written to " + baseline);
            out.flush();
            return ExitCode.OK;
        }
        return compare(read, out);
    }

    private int compare(List<Result> read, PrintWriter out) {
        if (!Files.isRegularFile(baseline)) {
            throw new UsageException("--baseline " + baseline + ": no such file; --write makes one");
        }
        Baseline expected = Baseline.read(baseline);
        List<Gate.Finding> findings = Gate.compare(expected, read, tolerance);
        findings.forEach(finding -> out.println(finding.line()));
        long failing = findings.stream()
                .filter(finding -> !(allowBetter && finding.better()))
                .count();
        out.println(expected.numbers().size() + " numbers compared, " + findings.size() + " differ"
                + (failing == 0 ? ": pass" : ": fail"));
        out.flush();
        return failing == 0 ? ExitCode.OK : ExitCode.GATE;
    }
}

package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.UsageException;
import io.posbias.cli.Calibration.Finding;
import io.posbias.cli.Calibration.Planted;
import io.posbias.cli.Calibration.Size;
import io.posbias.encode.Engine;
import io.posbias.encode.ReferenceEncoder.Shape;
import io.posbias.hub.HubSettings;
import io.posbias.measure.Verdict;
import io.posbias.report.CalibrationTable;
import io.posbias.report.TableFormat;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code posbias calibrate}: does this installation find a bias that is known to be there, and none that is not? */
@Command(
        name = "calibrate",
        description = "Plant biases of known kind and strength, and check that they are found; exit 1 when not.",
        sortOptions = false,
        footer = {
            "",
            "Small models whose tokens weigh more at the front, at the back, in the middle or nowhere answer the",
            "queries of a made-up benchmark whose evidence is spread evenly. Needs no network and writes nothing",
            "but temporary files. docs/calibrate.md says what is checked.",
            "",
            "Examples:",
            "  posbias calibrate",
            "  posbias calibrate --seed 7 --format markdown",
        })
final class CalibrateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "42",
            description = "Seed of the benchmarks, the models' vectors and the draws (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "What to print: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private TableFormat format = TableFormat.TABLE;

    @Override
    public Integer call() {
        if (threads < 1) {
            throw new UsageException("--threads must be at least 1, not " + threads);
        }
        Engine engine = Engine.quiet(threads, HubSettings.fromEnvironment().home());
        try (Calibration calibration = new Calibration(Size.FULL, seed, engine)) {
            Path benchmark = calibration.benchmark();
            List<Finding> findings = new ArrayList<>();
            for (Planted planted : Planted.all()) {
                findings.add(calibration.find(planted, planted, benchmark));
            }
            List<Verdict> repeats = calibration.repeats(new Planted(Shape.FLAT, 0));
            print(findings, repeats);
            return conclude(CalibrationChecks.failures(findings, repeats));
        }
    }

    private void print(List<Finding> findings, List<Verdict> repeats) {
        List<CalibrationTable.Row> rows = findings.stream()
                .map(finding -> new CalibrationTable.Row(
                        finding.planted().shape().name().toLowerCase(Locale.ROOT),
                        finding.planted().strength(),
                        finding.profile(),
                        finding.moved(Calibration.PLACES).difference(),
                        finding.moved((Calibration.PLACES + 1) / 2).difference(),
                        CalibrationChecks.failures(finding).isEmpty()))
                .toList();
        String alarms =
                "false alarms of flat on " + repeats.size() + " other benchmarks: " + CalibrationChecks.alarms(repeats)
                        + "; at most " + CalibrationChecks.allowed(repeats.size()) + " are allowed";
        PrintWriter out = spec.commandLine().getOut();
        out.print(format.render(CalibrationTable.of(rows, List.of(alarms))));
        out.flush();
    }

    private int conclude(List<String> failures) {
        PrintWriter err = spec.commandLine().getErr();
        failures.forEach(failure -> err.println("posbias: calibrate: " + failure));
        if (failures.isEmpty()) {
            err.println("all checks passed");
        }
        err.flush();
        return failures.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }
}

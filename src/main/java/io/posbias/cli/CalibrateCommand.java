package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.Json;
import io.posbias.calibrate.Calibration;
import io.posbias.calibrate.Calibration.Size;
import io.posbias.calibrate.CalibrationChecks;
import io.posbias.calibrate.CalibrationReport;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Verb;
import io.posbias.encode.Engine;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias calibrate}: does this installation find a bias that is known to be there, and none that is not? */
@Command(
        name = "calibrate",
        description = "Plant biases of known kind and strength, and check that they are found; exit 1 when not.",
        sortOptions = false,
        subcommands = {CalibrateReferencesCommand.class},
        footer = {
            "",
            "Small models whose tokens weigh more at the front, at the back or in the",
            "middle, that like short or long texts, or the same words, and some that like",
            "nothing, answer the queries of a made-up benchmark and of made-up probes.",
            "Needs no network and writes nothing but temporary files. docs/calibrate.md",
            "says what is checked.",
            "",
            "Examples:",
            "  posbias calibrate",
            "  posbias calibrate --seed 7 --format markdown",
            "  posbias calibrate references --dataset demo --out refs",
        })
public final class CalibrateCommand extends Verb {
    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of the benchmarks, the models' vectors and the draws (default: ${DEFAULT-VALUE}).")
    private long seed = 42;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    public Integer call() {
        atLeast("--threads", threads, 1);
        // Quiet: a line and a bar for every search of every encoder would tell nothing.
        Engine engine = Engine.quiet(threads, session());
        try (Calibration calibration = new Calibration(Size.FULL, seed, engine, session())) {
            Calibration.Outcome outcome = calibration.run();
            List<String> failures = CalibrationChecks.failures(outcome.findings(), outcome.alarms());
            print(form.text(
                    () -> Json.toBytes(CalibrationReport.document(outcome, failures)),
                    () -> CalibrationReport.tables(outcome)));
            failures.forEach(failure -> say("posbias: calibrate: " + failure));
            if (failures.isEmpty()) {
                say("all checks passed");
            }
            return failures.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
        }
    }
}

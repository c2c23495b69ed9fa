package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.UsageException;
import io.posbias.cli.Calibration.Finding;
import io.posbias.cli.Calibration.Size;
import io.posbias.encode.Engine;
import io.posbias.hub.HubSettings;
import io.posbias.measure.Profiler;
import io.posbias.report.CalibrationTable;
import io.posbias.report.TableFormat;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
final class CalibrateCommand implements Callable<Integer> {
    private static final Map<String, String> SHOWN = shown();

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

    @Mixin
    private FormatOption form = new FormatOption();

    @Override
    public Integer call() {
        if (threads < 1) {
            throw new UsageException("--threads must be at least 1, not " + threads);
        }
        // Quiet: a line and a bar for every search of every encoder would tell nothing.
        Engine engine = Engine.quiet(threads, HubSettings.fromEnvironment().home());
        try (Calibration calibration = new Calibration(Size.FULL, seed, engine, Terminal.progress(), this::say)) {
            Calibration.Outcome outcome = calibration.run();
            List<String> failures = CalibrationChecks.failures(outcome.findings(), outcome.alarms());
            PrintWriter out = spec.commandLine().getOut();
            out.print(render(outcome, failures, form.format()));
            out.flush();
            return conclude(failures);
        }
    }

    /** What goes to stdout. */
    static String render(Calibration.Outcome outcome, List<String> failures, PrintOptions.Format format) {
        List<CalibrationTable.Row> rows =
                outcome.findings().stream().map(CalibrateCommand::row).toList();
        if (format == PrintOptions.Format.JSON) {
            return new String(
                    CalibrationTable.toBytes(
                            outcome.seed(), Profiler.CONFIDENCE, rows, notes(outcome, alarms -> true), failures),
                    StandardCharsets.UTF_8);
        }
        TableFormat tables = TableFormat.valueOf(format.name());
        List<String> verdicts = notes(outcome, FalseAlarms::areVerdicts);
        List<String> probes = notes(outcome, alarms -> !alarms.areVerdicts());
        return tables.render(CalibrationTable.rankings(rows, verdicts))
                + "\n"
                + tables.render(CalibrationTable.probes(rows, SHOWN, probes));
    }

    private static List<String> notes(Calibration.Outcome outcome, Predicate<FalseAlarms> which) {
        return outcome.alarms().stream().filter(which).map(FalseAlarms::note).toList();
    }

    private static CalibrationTable.Row row(Finding finding) {
        Planted planted = finding.planted();
        List<CalibrationTable.Effect> effects = finding.probes().stream()
                .map(test -> new CalibrationTable.Effect(
                        test,
                        CalibrationChecks.effect(planted, test).toString(),
                        CalibrationChecks.holds(planted, test)))
                .toList();
        return new CalibrationTable.Row(
                planted.kind().toString(),
                planted.kind().isGraded() ? planted.strength() : null,
                FoundStrength.of(planted, finding.probes()),
                finding.profile(),
                finding.reversal(),
                ExpectedEffects.ofReversal(planted).toString(),
                CalibrationChecks.rankings(finding).isEmpty(),
                effects,
                CalibrationChecks.probes(finding).isEmpty());
    }

    private int conclude(List<String> failures) {
        failures.forEach(failure -> say("posbias: calibrate: " + failure));
        if (failures.isEmpty()) {
            say("all checks passed");
        }
        return failures.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private void say(String line) {
        Terminal.say(spec, line);
    }

    /** The columns of the table of probes; JSON has all comparisons. */
    private static Map<String, String> shown() {
        Map<String, String> shown = new LinkedHashMap<>();
        for (String probe : List.of("answer", "brevity", "foil")) {
            shown.put(probe + " text1 - text2", probe);
        }
        shown.put("literal SS - SL", "literal");
        shown.put("moving 3 - 1", "moving 3-1");
        shown.put("moving " + PlantedProbes.PLACES + " - 1", "moving " + PlantedProbes.PLACES + "-1");
        for (String probe : List.of("needle", "poison", "position", "repetition")) {
            shown.put(probe + " text1 - text2", probe);
        }
        return shown;
    }
}

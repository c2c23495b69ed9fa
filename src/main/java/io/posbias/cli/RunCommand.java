package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.Json;
import io.posbias.UsageException;
import io.posbias.cli.common.DeviceOptions;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.PlanOptions;
import io.posbias.cli.common.SparkOptions;
import io.posbias.cli.common.Verb;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Datasets;
import io.posbias.experiment.Cells;
import io.posbias.experiment.Experiment;
import io.posbias.experiment.ExperimentRun;
import io.posbias.experiment.Shard;
import io.posbias.experiment.Step;
import io.posbias.experiment.Steps;
import io.posbias.report.ReportFormat;
import io.posbias.result.ResultFolder;
import io.posbias.table.Sheet;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        commandListHeading = "Evaluate:",
        description = "Evaluate the missing cells of an experiment, write its tables.",
        sortOptions = false,
        footer = {
            "",
            "An experiment may have steps before and after its cells, such as the training of its models; what they "
                    + "make is in DIR/work/NAME. Cells are those of eval: DIR/DATASET/MODEL. A stopped run continues where it stopped. A "
                    + "cell that fails does not stop the others; the exit code is 1 then. Tables go to "
                    + "DIR/tables/NAME.",
            "",
            "Examples:",
            "  posbias run --list",
            "  posbias run demo",
            "  posbias run posq-table1 --dry-run",
            "  posbias run posq-table1 --shard 3/16 --results /shared/results",
            "  posbias run my-experiment.yaml --results my-results --device cuda",
        })
final class RunCommand extends Verb {
    private static final String WORK = "work";

    @Parameters(
            paramLabel = "EXPERIMENT",
            arity = "0..1",
            description = "A name from 'posbias run --list' or a .yaml file.")
    private @Nullable String name;

    @Option(names = "--list", description = "List the experiments known by name.")
    private boolean list;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A value that the experiment needs, such as where its data is. May be repeated.")
    private Map<String, String> given = new LinkedHashMap<>();

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description =
                    "Evaluate the I-th of N shares of the cells, of about equal cost; the last one to finish writes "
                            + "the tables.")
    private @Nullable String shard;

    @Option(
            names = {"--results", "--output"},
            paramLabel = "DIR",
            description = "Folder of all results: cells and tables (default: results).")
    private Path output = ResultFolder.ROOT;

    @Option(names = "--overwrite", description = "Compute finished cells again.")
    private boolean overwrite;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Mixin
    private PlanOptions planning = new PlanOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    private DeviceOptions device = new DeviceOptions();

    @Mixin
    private SparkOptions spark = new SparkOptions();

    @Override
    public Integer call() {
        if (list) {
            return list();
        }
        if (name == null) {
            throw new UsageException("give the name of an experiment or a .yaml file; posbias run --list lists names");
        }
        atLeast("--threads", threads, 1);
        device.check();
        belongs(!planning.isDryRun() && !form.isTable(), "--format", "--dry-run and --list");
        spark.check();
        Experiment experiment = filled(Experiment.find(name, threads));
        Shard share = shard == null ? null : Shard.parse(shard);
        ExperimentRun run = new ExperimentRun(experiment, output, overwrite, session());
        Steps steps = new Steps(work(experiment).resolve("steps.json"), run::file, session(), new CommandLines());
        steps.check(experiment.before());
        steps.check(experiment.after());
        if (planning.isDryRun()) {
            return dryRun(run, steps, share);
        }
        steps.run(experiment.before());
        return spark.on(device.engine(threads, session()), output, engine -> {
            Cells cells = cells(experiment, engine);
            List<String> failures = share == null
                    ? run.finish(cells, steps, form.inFile())
                    : run.share(cells, share.share(cells, session().home()), share, steps, form.inFile());
            return run.told(failures);
        });
    }

    /** Command lines as a shell would give them, in this process. */
    private final class CommandLines implements Steps.Commands {
        private CommandLine of(List<String> words) {
            return PosbiasCommand.commandLine(session(), words);
        }

        @Override
        public void check(List<String> words) {
            try {
                of(words).parseArgs(words.toArray(String[]::new));
            } catch (ParameterException wrong) {
                throw new UsageException(String.valueOf(wrong.getMessage()));
            }
        }

        @Override
        public int run(List<String> words, Writer out) {
            return of(words)
                    .setOut(new PrintWriter(out))
                    .setErr(spec().commandLine().getErr())
                    .execute(words.toArray(String[]::new));
        }
    }

    /** The experiment with the values that were given, and with its folder. */
    private Experiment filled(Experiment experiment) {
        for (String value : given.keySet()) {
            refuse(
                    !experiment.given().containsKey(value),
                    "--set " + value + ": " + experiment.name() + " takes "
                            + (experiment.given().isEmpty()
                                    ? "no values"
                                    : experiment.given().keySet()));
        }
        experiment
                .given()
                .forEach((value, what) -> refuse(
                        !given.containsKey(value), experiment.name() + " needs --set " + value + "=VALUE: " + what));
        Map<String, String> values = new LinkedHashMap<>(given);
        values.put("work", work(experiment).toString());
        return experiment.filled(values);
    }

    /** Where an experiment's own steps put what they make. */
    private Path work(Experiment experiment) {
        return output.resolve(WORK).resolve(experiment.name());
    }

    private Cells cells(Experiment experiment, Engine engine) {
        return Cells.of(experiment, new Datasets(session()), engine, overwrite, String.valueOf(name));
    }

    private int list() {
        List<Experiment> experiments = Experiment.builtIn().stream()
                .map(each -> Experiment.find(each, threads))
                .toList();
        Sheet<Experiment> sheet =
                new Sheet<Experiment>().plain("experiment", Experiment::name).plain("title", Experiment::title);
        print(form.text(
                () -> Json.toBytes(sheet.records(experiments)),
                () -> List.of(sheet.table("", experiments, List.of())),
                session()));
        return ExitCode.OK;
    }

    private int dryRun(ExperimentRun run, Steps steps, @Nullable Shard share) {
        Experiment experiment = run.experiment();
        if (!steps(experiment, steps)) {
            print(
                    form.isTable()
                            ? "The cells are known when the steps before them are finished.\n"
                            : form.forecast(List.of(), List.of(), session()));
            return ExitCode.OK;
        }
        Cells all = cells(experiment, device.engine(threads, session()));
        Cells cells = share == null ? all : share.share(all, session().home());
        List<String> notes = experiment.tables().stream()
                .map(table -> (table.format() == ReportFormat.JSON ? "results" : table.layout()) + " as "
                        + table.format() + ": " + run.file(table.file()))
                .toList();
        print(form.forecast(PlanOptions.forecast(cells.list(), run::folder, session()), notes, session()));
        return ExitCode.OK;
    }

    /** Prints the steps of an experiment that has any; tells whether those before the cells are finished. */
    private boolean steps(Experiment experiment, Steps steps) {
        List<Step> all = Stream.concat(experiment.before().stream(), experiment.after().stream())
                .toList();
        if (!all.isEmpty() && form.isTable()) {
            Sheet<Step> sheet = new Sheet<Step>()
                    .label("step", step -> String.join(" ", step.words()))
                    .plain("state", step -> steps.isFinished(step) ? "finished" : "missing");
            print(form.text(() -> new byte[0], () -> List.of(sheet.table("", all, List.of())), session()));
        }
        return experiment.before().stream().allMatch(steps::isFinished);
    }
}

package io.posbias.cli;

import io.posbias.base.process.ExitCode;
import io.posbias.base.process.UsageException;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.DeviceOptions;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.ResultsOptions;
import io.posbias.cli.common.SparkOptions;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import io.posbias.report.ReportFormat;
import io.posbias.run.experiment.Experiment;
import io.posbias.run.experiment.ExperimentCells;
import io.posbias.run.experiment.ExperimentForecast;
import io.posbias.run.experiment.ExperimentRun;
import io.posbias.run.experiment.Forecaster;
import io.posbias.run.experiment.Shard;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description = "Evaluate the missing cells of an experiment and write its tables.",
        footer = {
            "",
            "Cells are those of eval: DIR/DATASET/MODEL. A stopped run continues where it stopped. A "
                    + "cell that fails does not stop the others; the exit code is 1 then. Tables go to "
                    + "DIR/tables/NAME.",
            "",
            "Examples:",
            "  posbias run --list",
            "  posbias run demo",
            "  posbias run posq-table1 --dry-run",
            "  posbias run posq-table1 --shard 3/16 --results /shared/results",
            "  posbias run leaderboard --model bge-small-en-v1.5-int8",
            "  posbias run my-experiment.yaml --results my-results --device cuda",
        })
final class RunCommand extends BaseCommand {
    @Parameters(
            paramLabel = "EXPERIMENT",
            arity = "0..1",
            description = "Experiment: a name from 'posbias run --list' or a .yaml file.")
    private @Nullable String name;

    @Option(names = "--list", description = "List the built-in experiments.")
    private boolean list;

    @Option(
            names = "--model",
            split = ",",
            paramLabel = "MODEL,..",
            description = "Models to add to those of the experiment: names, folders, or st:NAME.")
    private List<String> models = List.of();

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description = "Share I of N of the cells, of about equal cost; the last share to finish writes the tables.")
    private @Nullable String shard;

    @Mixin
    private ResultsOptions results = new ResultsOptions();

    @Heading("Models:")
    @Least(1)
    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads to use; results do not depend on it (default: all processors).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--dry-run",
            description =
                    "Print planned evaluations by model, with --verbose by cell, with cost and time. Installed models"
                            + " are timed on a sample.")
    private boolean dryRun;

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
        refuse(!dryRun && !results.isTable(), "--format belongs to --dry-run or --list");
        Experiment experiment = Experiment.find(name).plus(models);
        Shard share = shard == null ? null : Shard.parse(shard);
        ExperimentRun run = new ExperimentRun(experiment, results.root(), results.overwrite(), session());
        if (dryRun) {
            return dryRun(run, share);
        }
        return spark.on(device.engine(threads, session()), engine -> {
            ExperimentCells cells = cells(experiment, engine);
            List<String> failures = share == null
                    ? run.finish(cells, results.inFile())
                    : run.share(cells, share.share(cells, session().home()), share, results.inFile());
            return run.report(failures);
        });
    }

    private ExperimentCells cells(Experiment experiment, Engine engine) {
        return ExperimentCells.of(
                experiment, new Datasets(session()), engine, results.overwrite(), String.valueOf(name));
    }

    private record ExperimentLine(String experiment, String title) {}

    private int list() {
        List<ExperimentLine> lines = Experiment.builtIn().stream()
                .map(Experiment::find)
                .map(found -> new ExperimentLine(found.name(), found.title()))
                .toList();
        print(results.list(ExperimentLine.class, lines, List.of(), session()));
        return ExitCode.OK;
    }

    private boolean isVerbose() {
        return Boolean.TRUE.equals(spec().root().findOption("--verbose").getValue());
    }

    private int dryRun(ExperimentRun run, @Nullable Shard share) {
        Experiment experiment = run.experiment();
        ExperimentCells all = cells(experiment, device.engine(threads, session()));
        ExperimentCells cells = share == null ? all : share.share(all, session().home());
        List<String> notes = experiment.tables().stream()
                .map(table -> (table.format() == ReportFormat.JSON ? "results" : table.layout()) + " as "
                        + table.format() + ": " + run.file(table.file()))
                .toList();
        List<ExperimentForecast> forecasts = new Forecaster(run::folder, session()).of(cells.list());
        print(results.text(
                () -> ExperimentForecast.document(forecasts),
                () -> List.of(
                        isVerbose()
                                ? ExperimentForecast.table(forecasts, notes)
                                : ExperimentForecast.byModel(forecasts, notes)),
                () -> ExperimentForecast.raw(forecasts),
                session()));
        return ExitCode.OK;
    }
}

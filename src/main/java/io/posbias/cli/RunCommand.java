package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.FileNames;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.Staging;
import io.posbias.UsageException;
import io.posbias.cli.common.DeviceOptions;
import io.posbias.cli.common.TableLook;
import io.posbias.cli.common.Verb;
import io.posbias.diagnose.PlacedEvidence;
import io.posbias.diagnose.Placing;
import io.posbias.encode.Engine;
import io.posbias.evaluate.CellRunner;
import io.posbias.evaluate.ContentFixing;
import io.posbias.evaluate.Datasets;
import io.posbias.evaluate.EarlierCell;
import io.posbias.evaluate.LazyDataset;
import io.posbias.evaluate.ResultPool;
import io.posbias.experiment.Experiment;
import io.posbias.experiment.Step;
import io.posbias.experiment.Steps;
import io.posbias.report.ReportFormat;
import io.posbias.report.leaderboard.Leaderboard;
import io.posbias.result.Differences;
import io.posbias.result.FinishedCell;
import io.posbias.result.Result;
import io.posbias.result.ResultFiles;
import io.posbias.result.ResultFolder;
import io.posbias.result.Settings;
import io.posbias.retrieve.Recipe;
import io.posbias.table.Sheet;
import io.posbias.table.TableFormat;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
            "  posbias run my-experiment.yaml --results my-results --device cuda",
        })
final class RunCommand extends Verb {
    private static final String TABLES = "tables";
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

    @Option(names = "--dry-run", description = "Print which cells are missing and which tables would be written.")
    private boolean dryRun;

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
    private TableLook look = new TableLook();

    @Mixin
    private DeviceOptions device = new DeviceOptions();

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
        Experiment experiment = filled(Experiment.find(name, threads));
        Steps steps = new Steps(
                work(experiment).resolve("steps.json"),
                file -> tableFile(experiment, file),
                session(),
                new CommandLines());
        steps.check(experiment.before());
        steps.check(experiment.after());
        if (dryRun) {
            return dryRun(experiment, steps);
        }
        steps.run(experiment.before());
        int code = run(experiment, checked(experiment));
        if (code == ExitCode.OK) {
            steps.run(experiment.after());
        }
        return code;
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

    private List<Part> checked(Experiment experiment) {
        List<Part> parts = parts(experiment);
        refuseTwins(parts);
        return parts;
    }

    /** A group of the experiment: its models and benchmarks, and what evaluates them. */
    private record Part(List<Recipe> recipes, List<Datasets.Source> sources, CellRunner runner) {
        private record Cell(Recipe recipe, Datasets.Source source, CellRunner runner) {
            String name() {
                return recipe.name() + " on " + source.name();
            }
        }

        Stream<Cell> cells() {
            return sources.stream().flatMap(source -> recipes.stream().map(recipe -> new Cell(recipe, source, runner)));
        }
    }

    private List<Part> parts(Experiment experiment) {
        Datasets known = new Datasets(session());
        Engine engine = device.engine(threads, session());
        return experiment.groups().stream()
                .map(group -> new Part(
                        group.recipes(),
                        group.datasets().stream()
                                .flatMap(dataset -> known.sources(dataset).stream())
                                .toList(),
                        new CellRunner(group.scoring(), experiment.k(), engine, overwrite, fixing(group))))
                .toList();
    }

    private @Nullable ContentFixing fixing(Experiment.Group group) {
        Integer queries = group.contentFixed();
        return queries == null
                ? null
                : PlacedEvidence.fixing(
                        new PlacedEvidence.Choice(Placing.USUAL, PlacedEvidence.PLACES, Placing.WINDOW),
                        queries,
                        (int) group.scoring().seed(),
                        session());
    }

    private void refuseTwins(List<Part> parts) {
        Set<String> seen = new HashSet<>();
        for (Part part : parts) {
            CellRunner.refuseTwins(String.valueOf(name), part.recipes(), String.valueOf(name), part.sources());
            part.cells()
                    .map(Part.Cell::name)
                    .forEach(cell -> refuse(!seen.add(cell), name + " names " + cell + " in two groups"));
        }
    }

    private int list() {
        List<Experiment> experiments = Experiment.builtIn().stream()
                .map(each -> Experiment.find(each, threads))
                .toList();
        print(TableFormat.TABLE.render(
                new Sheet<Experiment>()
                        .plain("experiment", Experiment::name)
                        .plain("title", Experiment::title)
                        .table("", experiments, List.of()),
                look.style(session())));
        return ExitCode.OK;
    }

    private int dryRun(Experiment experiment, Steps steps) {
        if (!steps(experiment, steps)) {
            print("The cells are known when the steps before them are finished.\n");
            return ExitCode.OK;
        }
        List<Part> parts = checked(experiment);
        List<Part.Cell> cells = parts.stream().flatMap(Part::cells).toList();
        List<String> notes = experiment.tables().stream()
                .map(table -> (table.format() == ReportFormat.JSON ? "results" : table.layout()) + " as "
                        + table.format() + ": " + tableFile(experiment, table.file()))
                .toList();
        Sheet<Part.Cell> columns = new Sheet<Part.Cell>()
                .label("model", cell -> cell.recipe().name())
                .label("dataset", cell -> cell.source().name());
        if (experiment.groups().stream().anyMatch(group -> !group.firstStage().isEmpty())) {
            columns.plain("first stage", cell -> cell.recipe().settings().text("first-stage", ""));
        }
        print(TableFormat.TABLE.render(
                columns.plain("cell", this::state).table("", cells, notes), look.style(session())));
        return ExitCode.OK;
    }

    /** Prints the steps of an experiment that has any; tells whether those before the cells are finished. */
    private boolean steps(Experiment experiment, Steps steps) {
        List<Step> all = Stream.concat(experiment.before().stream(), experiment.after().stream())
                .toList();
        if (!all.isEmpty()) {
            print(TableFormat.TABLE.render(
                    new Sheet<Step>()
                            .label("step", step -> String.join(" ", step.words()))
                            .plain("state", step -> steps.isFinished(step) ? "finished" : "missing")
                            .table("", all, List.of()),
                    look.style(session())));
        }
        return experiment.before().stream().allMatch(steps::isFinished);
    }

    /**
     * What a run would do with a cell; a benchmark that is not here is not pulled to find out.
     * What is wrong with one that would fail is said on stderr, whole.
     */
    private String state(Part.Cell cell) {
        if (!cell.source().isHere().getAsBoolean()) {
            return "missing; the dataset would be pulled";
        }
        try {
            LazyDataset benchmark = cell.source().lazy(session().progress());
            ResultFolder folder = folder(cell.source().name(), cell.recipe().name());
            return cell.runner()
                    .usable(cell.recipe(), benchmark, folder)
                    .map(RunCommand::state)
                    .orElse("missing");
        } catch (PosbiasException failure) {
            say(Printable.line(cell.name() + ": " + failure.line()));
            return "would fail";
        }
    }

    private static String state(EarlierCell earlier) {
        return earlier.use() == EarlierCell.Use.SHOW ? "finished" : earlier.serves() ? "run there" : "missing";
    }

    private int run(Experiment experiment, List<Part> parts) {
        List<Result> cells = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        CellRunner.Counter counter =
                new CellRunner.Counter((int) parts.stream().flatMap(Part::cells).count());
        for (Part part : parts) {
            CellRunner.Outcome outcome = part.runner()
                    .all(
                            part.recipes(),
                            part.sources(),
                            (dataset, model) -> folder(dataset, model).path(),
                            counter,
                            benchmark -> {});
            cells.addAll(outcome.results());
            failures.addAll(outcome.failures());
        }
        List<Result> pooled = pool(experiment, parts, cells, failures);
        for (Experiment.Output table : experiment.tables()) {
            attempt(
                    tableFile(experiment, table.file()).toString(),
                    failures,
                    () -> write(experiment, table, cells, pooled));
        }
        if (!failures.isEmpty()) {
            say(experiment.name() + ": " + failures.size() + " failed:");
            failures.forEach(failure -> say("  " + failure));
        }
        return failures.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    /** Pools each model's results, where all that belong together are there. */
    private List<Result> pool(Experiment experiment, List<Part> parts, List<Result> cells, List<String> failures) {
        List<Result> pooled = new ArrayList<>();
        for (String pool : experiment.pools()) {
            Map<String, List<String>> datasets = new LinkedHashMap<>();
            parts.stream()
                    .flatMap(Part::cells)
                    .filter(cell -> cell.source().name().startsWith(pool + "/"))
                    .forEach(cell -> datasets.computeIfAbsent(cell.recipe().name(), model -> new ArrayList<>())
                            .add(cell.source().name()));
            attempt(pool, failures, () -> {
                if (datasets.isEmpty()) {
                    throw new PosbiasException("no dataset of the experiment is below it");
                }
            });
            datasets.forEach((model, below) -> attempt(model + " on " + pool, failures, () -> {
                List<Path> folders = folders(model, below, cells);
                pooled.add(new ResultPool(pool, folders).into(folder(pool, model), overwrite, this::say));
            }));
        }
        return pooled;
    }

    /** The folders of a model's cells, if all are there, with the settings of the experiment. */
    private List<Path> folders(String model, List<String> parts, List<Result> cells) {
        List<Result> own = cells.stream()
                .filter(cell -> cell.model().equals(model) && parts.contains(cell.dataset()))
                .toList();
        if (own.size() < parts.size()) {
            throw new PosbiasException(
                    "not pooled, " + (parts.size() - own.size()) + " of " + parts.size() + " cells are missing");
        }
        List<Path> folders = new ArrayList<>();
        for (Result cell : own) {
            Path path = folder(cell.dataset(), model).path();
            Settings written = FinishedCell.read(path).result().settings();
            if (!cell.settings().isLike(written)) {
                throw new PosbiasException("not pooled, the files in " + path + " have other settings: "
                        + Differences.said(cell.settings().differences(written)) + "; use --overwrite");
            }
            folders.add(path);
        }
        return folders;
    }

    private void write(Experiment experiment, Experiment.Output table, List<Result> cells, List<Result> pooled) {
        Map<String, Result> own = new LinkedHashMap<>();
        Stream.concat(
                        table.datasets().isEmpty() && !pooled.isEmpty() ? Stream.empty() : cells.stream(),
                        pooled.stream())
                .filter(result -> ResultFiles.matches(result.dataset(), table.datasets()))
                .forEach(result -> own.put(result.model() + " on " + result.dataset(), result));
        List<Result> shown = new ArrayList<>(own.values());
        if (table.published()) {
            table.layout().whyNone(shown, table.measure()).ifPresent(why -> say("note: " + table.file() + ": " + why));
            shown.addAll(table.layout().published(shown));
        }
        Leaderboard board = new Leaderboard(shown, table.measure(), table.intervals());
        if (own.isEmpty() || board.isEmpty()) {
            throw new PosbiasException("not written: no result matches this table");
        }
        Path file = tableFile(experiment, table.file());
        String text = table.format().text(List.copyOf(own.values()), table.layout(), board, look.inFile());
        Staging.writeFile(file, text);
        say("table in " + file);
    }

    private void attempt(String what, List<String> failures, Runnable work) {
        try {
            work.run();
        } catch (PosbiasException failure) {
            String line = Printable.line(what + ": " + failure.line());
            say("posbias: " + line);
            failures.add(line);
        }
    }

    private ResultFolder folder(String dataset, String model) {
        return new ResultFolder(ResultFolder.of(output, dataset, model));
    }

    private Path tableFile(Experiment experiment, String file) {
        return FileNames.inside(output.resolve(TABLES), experiment.name() + "/" + file);
    }
}

package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.Json;
import io.posbias.cli.common.CallsOption;
import io.posbias.cli.common.FormatOption;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.HelpSections;
import io.posbias.cli.common.ModelNames;
import io.posbias.cli.common.ModelOptions;
import io.posbias.cli.common.PlanOptions;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.ResultsOptions;
import io.posbias.cli.common.ScoringOptions;
import io.posbias.cli.common.SparkOptions;
import io.posbias.cli.common.SplitOption;
import io.posbias.cli.common.Verb;
import io.posbias.dataset.Dataset;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Engine;
import io.posbias.evaluate.CellRunner;
import io.posbias.evaluate.Datasets;
import io.posbias.evaluate.Scoring;
import io.posbias.experiment.Cells;
import io.posbias.experiment.Forecast;
import io.posbias.measure.Comparer;
import io.posbias.measure.EvidenceCuts;
import io.posbias.report.mitigate.Advice;
import io.posbias.report.mitigate.Mitigation;
import io.posbias.report.mitigate.Mitigations;
import io.posbias.result.FinishedCell;
import io.posbias.result.Result;
import io.posbias.result.ResultFolder;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "mitigate",
        description = "Compare retrieval strategies by what they do to position bias.",
        sortOptions = false,
        footer = {
            "",
            "Each strategy wraps the model and is a model of its own: eval, probe run, diagnose and gate take "
                    + "MODEL+STRATEGY too. Cells are kept as by eval, and vectors are encoded once for all strategies.",
            "",
            "Examples:",
            "  posbias mitigate --model all-minilm-l6-v2 --dataset my-squad",
            "  posbias mitigate --model bm25,all-minilm-l6-v2 --dataset my-squad \\",
            "      --strategies chunked,chunked:window=64:score=mean,fused",
            "  posbias mitigate --model all-minilm-l6-v2 --dataset my-squad --dry-run",
            "  posbias eval --model all-minilm-l6-v2+chunked:window=64 --dataset my-squad",
        })
final class MitigateCommand extends Verb {
    @Mixin
    private ModelNames models = new ModelNames();

    @Option(
            names = "--dataset",
            required = true,
            split = ",",
            paramLabel = "DATASET,..",
            hideParamSyntax = true,
            description =
                    "Datasets: names or patterns from 'posbias data list --all', or folders, separated by commas.")
    private List<String> datasets = List.of();

    @Option(
            names = "--strategies",
            split = ",",
            paramLabel = "STRATEGY,..",
            hideParamSyntax = true,
            description =
                    "Strategies, separated by commas, such as chunked:window=64 (default: all that fit the model).")
    private List<String> strategies = List.of();

    @Mixin
    private SplitOption split = new SplitOption();

    @Heading("Measures:")
    @Option(
            names = "--k",
            paramLabel = "K",
            description = "Maximum number of passages retrieved per query (default: ${DEFAULT-VALUE}).")
    private int k = 100;

    @Mixin
    private CallsOption callsOption = new CallsOption();

    @Mixin
    private ScoringOptions scoringOptions = new ScoringOptions();

    @Mixin
    private PlanOptions planning = new PlanOptions();

    @Mixin
    private ResultsOptions results = new ResultsOptions();

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private SparkOptions spark = new SparkOptions();

    @Mixin
    private FormatOption form = new FormatOption();

    @Mixin
    private PlotOptions plots = new PlotOptions();

    /** Adds the strategies to the command's help. */
    @Spec
    void addStrategies(CommandSpec given) {
        HelpSections.list(given, "Strategies:", 20, Strategy.all(), Strategy::kind, Strategy::meaning);
    }

    /** A model with the recipes of the strategies around it. */
    private record Around(Recipe model, List<String> strategies, List<Recipe> recipes) {
        static Around of(Recipe model, List<String> asked) {
            List<String> strategies = asked.isEmpty() ? Strategy.usualAround(model) : asked;
            List<Recipe> all = new ArrayList<>(List.of(model));
            strategies.forEach(strategy -> all.add(model.within(strategy)));
            // A recipe whose settings make no sense is refused before any is run.
            all.forEach(Recipe::retriever);
            return new Around(model, strategies, all);
        }
    }

    @Override
    public Integer call() {
        Scoring scoring = scoringOptions.scoring();
        scoring.checkDepth(k, "--k");
        modelOptions.device().check();
        callsOption.check();
        spark.check();
        split.check();
        results.check();
        List<Recipe> plain = modelOptions.recipes(models.names());
        List<Around> all =
                plain.stream().map(model -> Around.of(model, strategies)).toList();
        List<Datasets.Source> sources = split.sources(datasets, session());
        List<Recipe> recipes =
                all.stream().flatMap(around -> around.recipes().stream()).toList();
        CellRunner.refuseTwins("--strategies", recipes, "--dataset", sources);
        CallLimit calls = callsOption.limit();
        Engine engine = modelOptions.device().engine(scoring.threads(), calls, session());
        Function<Engine, CellRunner> runner = on -> new CellRunner(scoring, k, on, results.overwrite(), null);
        if (calls.isEstimate()) {
            print(form.estimate(runner.apply(engine).estimate(recipes, sources, results::folder), session()));
            return ExitCode.OK;
        }
        if (planning.isDryRun()) {
            print(forecast(Cells.of(recipes, sources, runner.apply(engine))));
            return ExitCode.OK;
        }
        CellRunner.Counter counter = new CellRunner.Counter(recipes.size() * sources.size());
        CellRunner.Outcome outcome = spark.on(
                engine, on -> runner.apply(on).all(recipes, sources, results::folder, counter, benchmark -> {}));
        print(compare(all, sources, outcome.results(), scoring, engine), scoring);
        return outcome.failures().isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private String forecast(Cells cells) {
        List<Forecast> forecast = PlanOptions.forecast(
                cells.list(), (dataset, model) -> new ResultFolder(results.folder(dataset, model)), session());
        return form.forecast(forecast, List.of(), session());
    }

    private List<Mitigation> compare(
            List<Around> all, List<Datasets.Source> sources, List<Result> finished, Scoring scoring, Engine engine) {
        List<Mitigation> rows = new ArrayList<>();
        for (Datasets.Source source : sources) {
            List<Result> own = finished.stream()
                    .filter(result -> result.dataset().equals(source.name()))
                    .toList();
            if (!own.isEmpty()) {
                Dataset dataset = source.lazy(session().progress()).open();
                all.forEach(around -> rows.addAll(compare(around, source.name(), dataset, scoring, engine, own)));
            }
        }
        return rows;
    }

    /**
     * Nothing where the model itself has no result.
     *
     * @param finished on the dataset
     */
    private List<Mitigation> compare(
            Around around, String name, Dataset dataset, Scoring scoring, Engine engine, List<Result> finished) {
        Set<String> done = finished.stream().map(Result::model).collect(Collectors.toSet());
        if (!done.contains(around.model().name())) {
            return List.of();
        }
        List<Mitigation.Cell> own = new ArrayList<>();
        for (int i = 0; i < around.recipes().size(); i++) {
            Recipe recipe = around.recipes().get(i);
            if (done.contains(recipe.name())) {
                own.add(new Mitigation.Cell(
                        i == 0 ? "" : around.strategies().get(i - 1),
                        FinishedCell.read(results.folder(name, recipe.name())),
                        recipe.vectorBytes()));
            }
        }
        Comparer comparer = new Comparer(scoring.draws(), scoring.seed(), scoring.confidence(), scoring.threads());
        String measure = scoring.measures().getFirst().toString();
        return session().step("compare strategies around " + around.model().name() + " on " + name, () -> {
            Set<String> unread = EvidenceCuts.of(around.model().retriever(), dataset, engine)
                    .map(EvidenceCuts::notWhollyRead)
                    .orElse(Set.of());
            int passages = dataset.passages().size();
            return Mitigation.of(own, measure, unread, passages, comparer, 1 - scoring.confidence());
        });
    }

    private void print(List<Mitigation> rows, Scoring scoring) {
        String measure = scoring.measures().getFirst().toString();
        print(form.text(
                () -> Json.toBytes(
                        Mitigations.document(measure, rows, scoring.draws(), scoring.seed(), scoring.confidence())),
                () -> Mitigations.tables(measure, rows, scoring.draws(), scoring.confidence()),
                () -> Mitigations.raw(rows),
                session()));
        if (form.isTable() && !rows.isEmpty()) {
            printLine("");
            Advice.of(rows).forEach(this::printLine);
        }
        plots.draw(session(), () -> Mitigations.figures(rows, measure));
    }
}

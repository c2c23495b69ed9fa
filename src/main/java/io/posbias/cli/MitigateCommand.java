package io.posbias.cli;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.ExitCode;
import io.posbias.base.table.Lines;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.Heading;
import io.posbias.cli.common.HelpSections;
import io.posbias.cli.common.PlotOptions;
import io.posbias.cli.common.ResultsOptions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.strategy.Strategy;
import io.posbias.report.mitigate.Advice;
import io.posbias.report.mitigate.Mitigation;
import io.posbias.report.mitigate.Mitigations;
import io.posbias.run.Cells;
import io.posbias.run.experiment.Rate;
import io.posbias.score.measure.Comparer;
import io.posbias.score.measure.Effect;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.Result;
import io.posbias.score.result.StoredCell;
import io.posbias.score.result.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "mitigate",
        description = "Compare retrieval strategies by their effect on position bias.",
        footer = {
            "",
            "eval, probe run, diagnose and gate accept MODEL+STRATEGY as a model. Cells are stored as by eval, and "
                    + "vectors are encoded once for all strategies.",
            "",
            "Examples:",
            "  posbias mitigate --model all-minilm-l6-v2 --dataset my-squad",
            "  posbias mitigate --model bm25,all-minilm-l6-v2 --dataset my-squad \\",
            "      --strategies chunked,chunked:window=64:score=mean,fused",
            "  posbias mitigate --model all-minilm-l6-v2 --dataset my-squad --content-fixed",
            "  posbias mitigate --model all-minilm-l6-v2 --dataset my-squad --dry-run",
            "  posbias eval --model all-minilm-l6-v2+chunked:window=64 --dataset my-squad",
        })
final class MitigateCommand extends BaseCommand implements HelpSections.Listing, Study.Command {
    @Mixin
    private EvaluatingOptions options = new EvaluatingOptions();

    @Option(
            names = "--strategies",
            split = ",",
            paramLabel = "STRATEGY,..",
            description = "Strategies like chunked:window=64, separated by commas (default: all that fit the model).")
    private List<String> strategies = List.of();

    @Heading("Measures:")
    @Option(
            names = "--margin",
            paramLabel = "POINTS",
            description = "Largest negligible loss of the mean, for the whole interval of its change (default: "
                    + "${DEFAULT-VALUE}).")
    private double margin = 100 * Effect.Criteria.MARGIN;

    @Mixin
    private ResultsOptions results = new ResultsOptions();

    @Heading("Output:")
    @Option(names = "--intervals", description = "Intervals of changes.")
    private boolean intervals;

    @Heading("Output:")
    @Option(
            names = "--costs",
            description = "Measure times on a sample, after a warm-up and without cached vectors, and print costs.")
    private boolean costs;

    @Mixin
    private PlotOptions plots = new PlotOptions();

    /** Seconds to measure the costs of a strategy. */
    private static final double TIMING = 30;

    private List<Around> all = List.of();

    @Override
    public Study study() {
        return Mitigations.study();
    }

    @Override
    public List<String> listing() {
        return HelpSections.list("Strategies:", 20, Strategy.all(), Strategy::kind, Strategy::meaning);
    }

    private record Around(Recipe model, List<String> strategies, List<Recipe> recipes) {
        static Around of(Recipe model, List<String> asked) {
            List<String> strategies = asked.isEmpty() ? Strategy.usualAround(model) : asked;
            List<Recipe> all = new ArrayList<>(List.of(model));
            strategies.forEach(strategy -> all.add(RecipeBook.within(model, strategy)));
            return new Around(model, strategies, all);
        }
    }

    private Effect.Criteria criteria(Settings settings) {
        return new Effect.Criteria(settings.confidence(), margin / 100);
    }

    @Override
    public Integer call() {
        Settings settings = options.settings();
        EvaluatingOptions.Work work = options.work(around(options.models(session())), settings, results, session());
        Optional<String> plan = options.plan(work, session());
        if (plan.isPresent()) {
            print(plan.get());
            return ExitCode.OK;
        }
        return options.spark().on(work.engine(), engine -> evaluate(work, engine));
    }

    /** Returns models with the strategies around them. */
    private List<Recipe> around(List<Recipe> models) {
        refuse(!(margin >= 0 && margin < 100), "--margin must be at least 0 and below 100, not " + margin);
        all = models.stream().map(model -> Around.of(model, strategies)).toList();
        List<Recipe> recipes =
                all.stream().flatMap(around -> around.recipes().stream()).toList();
        FileNames.requireDistinct("--strategies", "model", recipes.stream().map(Recipe::name));
        return recipes;
    }

    private int evaluate(EvaluatingOptions.Work work, Engine engine) {
        Cells cells = new Cells(work.jobs(engine), results::folder, true).finish();
        print(compare(work, cells.results()), work.settings());
        return cells.failures().isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private List<Mitigation> compare(EvaluatingOptions.Work work, List<Result> finished) {
        List<Mitigation> rows = new ArrayList<>();
        for (Datasets.Source source : work.sources()) {
            List<Result> own = finished.stream()
                    .filter(result -> result.dataset().equals(source.name()))
                    .toList();
            if (!own.isEmpty()) {
                Dataset dataset = source.lazy(session().progress()).open();
                all.forEach(around -> rows.addAll(compare(work, around, source.name(), dataset, own)));
            }
        }
        return rows;
    }

    private List<Mitigation> compare(
            EvaluatingOptions.Work work, Around around, String name, Dataset dataset, List<Result> finished) {
        Settings settings = work.settings();
        Engine engine = work.engine();
        Set<String> done = finished.stream().map(Result::model).collect(Collectors.toSet());
        if (!done.contains(around.model().name())) {
            return List.of();
        }
        List<Mitigation.Cell> own = new ArrayList<>();
        List<Recipe> compared = new ArrayList<>();
        for (int i = 0; i < around.recipes().size(); i++) {
            Recipe recipe = around.recipes().get(i);
            if (done.contains(recipe.name())) {
                compared.add(recipe);
                own.add(new Mitigation.Cell(
                        i == 0 ? "" : around.strategies().get(i - 1),
                        StoredCell.read(results.folder(name, recipe.name())),
                        recipe.vectorBytes()));
            }
        }
        Comparer comparer = new Comparer(settings, engine.threads());
        String measure = settings.measure().toString();
        return session().step("compare strategies around " + around.model().name() + " on " + name, () -> {
            int passages = dataset.passages().size();
            List<Mitigation> rows = Mitigation.of(own, measure, passages, comparer, criteria(settings));
            return costs ? timed(rows, compared, dataset, settings.k(), engine) : rows;
        });
    }

    private List<Mitigation> timed(List<Mitigation> rows, List<Recipe> recipes, Dataset dataset, int k, Engine engine) {
        int passages = dataset.passages().size();
        List<Mitigation> timed = new ArrayList<>();
        for (Mitigation row : rows) {
            Recipe recipe = recipes.get(timed.size());
            Rate rate =
                    session().step("timing " + recipe.name(), () -> Rate.measured(recipe, dataset, k, engine, TIMING));
            timed.add(row.timed(rate.passageSeconds() * passages, 1000 * rate.querySeconds()));
        }
        return timed;
    }

    private void print(List<Mitigation> rows, Settings settings) {
        String measure = settings.measure().toString();
        if (results.isTable() && !rows.isEmpty()) {
            int width = results.style(session()).width();
            Advice.of(rows, criteria(settings)).stream()
                    .flatMap(sentence -> Lines.of(sentence, width, 2).stream())
                    .forEach(this::printLine);
            printLine("");
        }
        Mitigations.Content content =
                new Mitigations.Content(criteria(settings), settings.draws(), intervals, costs, results.detail());
        print(results.text(
                () -> Mitigations.document(measure, rows, settings.draws(), settings.seed(), criteria(settings)),
                () -> Mitigations.tables(measure, rows, content),
                () -> Mitigations.raw(rows),
                session()));
        plots.draw(session(), () -> Mitigations.figures(rows, measure));
    }
}

package io.posbias.cli;

import io.posbias.base.stats.RandomEffects;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.BelongsTo;
import io.posbias.cli.common.Least;
import io.posbias.cli.common.OutputFileOption;
import io.posbias.report.leaderboard.PairwiseTests;
import io.posbias.report.mitigate.Mitigation;
import io.posbias.report.page.Drilldowns;
import io.posbias.report.page.ResultPage;
import io.posbias.report.query.Benchmarks;
import io.posbias.score.over.BenchmarkLosses;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias report page}: all results in one HTML file. */
@Command(
        name = "page",
        description = "Write an HTML page of results that works offline.",
        footer = {
            "",
            "Examples:",
            "  posbias report page results --output page.html",
            "  posbias report page results --over-benchmarks --output page.html",
            "  posbias report page results --queries 20 --output page.html",
        })
final class ReportPageCommand extends BaseCommand {
    @Mixin
    private ReportResultOptions.WithPublished results = new ReportResultOptions.WithPublished();

    @Option(
            names = "--over-benchmarks",
            description = "Add the tables and the figure of 'posbias report over benchmarks'.")
    private boolean overBenchmarks;

    @BelongsTo("--over-benchmarks")
    @Option(
            names = ReportOverCommand.WEIGHTS,
            paramLabel = "HOW",
            description = "Weights of benchmarks: equal or precision (default: ${DEFAULT-VALUE}).")
    private RandomEffects.Weights weights = RandomEffects.Weights.EQUAL;

    @Least(0)
    @Option(
            names = "--queries",
            paramLabel = "N",
            description = "Show N queries of each dataset one by one, those on which models differ most (default: "
                    + "${DEFAULT-VALUE}; 0 for none).")
    private int queries = 100;

    @Option(
            names = "--texts",
            paramLabel = "FOLDER",
            description = "Folder of a benchmark that has moved and is not in 'posbias data list'. Repeatable.")
    private List<Path> texts = List.of();

    @Mixin
    private OutputFileOption output = new OutputFileOption();

    @Override
    protected void work() {
        ReportResultOptions.WithPublished.Shown shown = results.shown(session());
        String measure = shown.measure();
        refuse(
                shown.all().stream().noneMatch(result -> result.measures().contains(measure)),
                "no result has the measure " + measure);
        BenchmarkLosses losses = overBenchmarks ? BenchmarkLosses.of(shown.cells(), measure, weights) : null;
        PairwiseTests tests = new PairwiseTests(
                shown.cells(), PairwiseTests.Shown.NOTHING, Runtime.getRuntime().availableProcessors());
        Drilldowns drilldowns = new Drilldowns(new Benchmarks(texts, session()), measure, queries, session());
        output.deliver(
                session()
                        .step(
                                "make the page",
                                () -> ResultPage.render(
                                        shown.all(),
                                        measure,
                                        new ResultPage.Sections(
                                                drilldowns.of(shown.cells()),
                                                Mitigation.among(shown.cells(), measure),
                                                tests,
                                                losses,
                                                null))),
                this);
    }
}

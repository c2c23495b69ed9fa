package io.posbias.cli;

import io.posbias.base.stats.RandomEffects;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.Group;
import io.posbias.cli.common.PlotOptions;
import io.posbias.report.BenchmarkLossTables;
import io.posbias.report.SeedTables;
import io.posbias.score.over.BenchmarkLosses;
import io.posbias.score.over.SeedSpread;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias report over}: models over several results. */
@Command(
        name = "over",
        description = "Compare models over benchmarks, or over their seeds.",
        subcommands = {ReportOverCommand.Benchmarks.class, ReportOverCommand.Seeds.class},
        footer = {"", "Examples:", "  posbias report over benchmarks results", "  posbias report over seeds results"})
final class ReportOverCommand extends Group {
    static final String WEIGHTS = "--weights";

    /** {@code posbias report over benchmarks}. */
    @Command(
            name = "benchmarks",
            description = "Estimate and test each model's loss at the back over benchmarks.",
            footer = {
                "",
                "Examples:",
                "  posbias report over benchmarks results",
                "  posbias report over benchmarks results --measure R@10 --format csv",
                "  posbias report over benchmarks results --plots figures",
            })
    static final class Benchmarks extends BaseCommand {
        @Mixin
        private ReportResultOptions.Measured results = new ReportResultOptions.Measured();

        @Option(
                names = WEIGHTS,
                paramLabel = "HOW",
                description = "Weights of benchmarks: equal, the t test of their losses, or precision, random effects,"
                        + " which reject too often with few benchmarks (default: ${DEFAULT-VALUE}).")
        private RandomEffects.Weights weights = RandomEffects.Weights.EQUAL;

        @Mixin
        private ReportOutputOptions output = new ReportOutputOptions();

        @Mixin
        private PlotOptions plots = new PlotOptions();

        @Override
        protected void work() {
            BenchmarkLossTables losses =
                    new BenchmarkLossTables(BenchmarkLosses.of(results.read(session()), results.measure(), weights));
            output.deliver(losses.document(), () -> losses.tables(output.detail()), losses::raw, this);
            plots.draw(session(), losses::figures);
        }
    }

    /** {@code posbias report over seeds}. */
    @Command(
            name = "seeds",
            description = "Show what the seed changes in models trained with several.",
            footer = {
                "",
                "Examples:",
                "  posbias report over seeds results",
                "  posbias report over seeds results --format json",
            })
    static final class Seeds extends BaseCommand {
        @Mixin
        private ReportResultOptions.Measured results = new ReportResultOptions.Measured();

        @Mixin
        private ReportOutputOptions output = new ReportOutputOptions();

        @Override
        protected void work() {
            SeedTables seeds = new SeedTables(SeedSpread.of(results.read(session()), results.measure()));
            output.deliver(seeds.document(), () -> seeds.tables(output.detail()), seeds::raw, this);
        }
    }
}

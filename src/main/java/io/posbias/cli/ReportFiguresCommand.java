package io.posbias.cli;

import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.FigureOptions;
import io.posbias.report.plot.Plots;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias report figures}: figures of each benchmark. */
@Command(
        name = "figures",
        description = "Draw results: position curves, strips, and PSI against the mean.",
        footer = {
            "",
            "Examples:",
            "  posbias report figures results/squad-posq --output pictures",
            "  posbias report figures results --output pictures --plot-format pdf \\",
            "      --plot-size 3.3 --no-plot-titles",
        })
final class ReportFiguresCommand extends BaseCommand {
    @Mixin
    private ReportResultOptions.WithPublished results = new ReportResultOptions.WithPublished();

    @Option(
            names = "--output",
            required = true,
            paramLabel = "DIR",
            description = "Folder for figures. See docs/report.md.")
    private Path folder = Path.of("");

    @Mixin
    private FigureOptions form = new FigureOptions();

    @Override
    protected void work() {
        isWritable("--output", folder);
        ReportResultOptions.WithPublished.Shown shown = results.shown(session());
        form.draw(session(), "--output", folder, () -> Plots.figures(shown.all(), shown.measure()));
    }
}

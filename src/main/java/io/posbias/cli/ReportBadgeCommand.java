package io.posbias.cli;

import io.posbias.base.process.UsageException;
import io.posbias.cli.common.BaseCommand;
import io.posbias.cli.common.OutputFileOption;
import io.posbias.data.position.Strata;
import io.posbias.report.page.Badge;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.StoredCell;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code posbias report badge}: one result as a small picture. */
@Command(
        name = "badge",
        description = "Write a small SVG of one result, for the README of a model.",
        footer = {"", "Examples:", "  posbias report badge results/demo/bm25 --output badge.svg"})
final class ReportBadgeCommand extends BaseCommand {
    @Mixin
    private ReportResultOptions.Measured results = new ReportResultOptions.Measured();

    @Mixin
    private OutputFileOption output = new OutputFileOption();

    @Override
    protected void work() {
        List<StoredCell> cells = results.read(session());
        StoredCell cell = cells.getFirst();
        refuse(
                cells.size() > 1,
                "a badge shows one result, not " + cells.size() + ": give the folder of one"
                        + (cell.folder() == null ? "" : ", for example " + cell.folder()));
        Profile profile = cell.result().profile(results.measure(), Strata.ALL);
        if (profile == null) {
            throw new UsageException(cell.name() + " has no measure " + results.measure()
                    + ": give --measure with one of "
                    + String.join(", ", cell.result().measures()));
        }
        refuse(profile.buckets().isEmpty(), cell.name() + " has no positions of the evidence, so no badge");
        output.deliver(Badge.render(cell.result(), profile), this);
    }
}

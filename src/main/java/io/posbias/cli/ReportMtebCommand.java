package io.posbias.cli;

import io.posbias.base.files.Staging;
import io.posbias.base.text.Plural;
import io.posbias.cli.common.BaseCommand;
import io.posbias.report.leaderboard.MtebFiles;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code posbias report mteb}: results as files of MTEB. */
@Command(
        name = "mteb",
        description = "Write results as files of MTEB's results repository.",
        footer = {"", "Examples:", "  posbias report mteb results --output mteb-results"})
final class ReportMtebCommand extends BaseCommand {
    @Mixin
    private ReportResultOptions results = new ReportResultOptions();

    @Option(names = "--output", required = true, paramLabel = "DIR", description = "Folder for the files.")
    private Path folder = Path.of("");

    @Override
    protected void work() {
        Staging.checkFolder(folder);
        List<StoredCell> cells = results.read(session());
        int files =
                MtebFiles.write(folder, cells.stream().map(StoredCell::result).toList());
        say(Plural.of(files, "file") + " in " + folder);
    }
}

package io.posbias.cli.common;

import io.posbias.score.result.ResultFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Output folder of many cells. */
public class ResultsOptions extends FormatOption implements Checked {
    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Folder of all results, DATASET/MODEL for each cell (default: results).")
    private @Nullable Path results;

    @Option(names = "--overwrite", description = "Replace finished results.")
    private boolean overwrite;

    @Override
    public void check() {
        BaseCommand.isWritable("--results", results);
    }

    /** Checks that the folder can hold this number of cells. */
    public void check(int cells) {}

    public boolean given() {
        return results != null;
    }

    public Path root() {
        return results == null ? ResultFolder.ROOT : results;
    }

    public Path folder(String dataset, String model) {
        return ResultFolder.of(root(), dataset, model);
    }

    public boolean overwrite() {
        return overwrite;
    }
}

package io.posbias.cli.common;

import io.posbias.result.ResultFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The folder of many cells, in which each has its own. */
public class ResultsOptions extends FormatOption implements Checked {
    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Folder of all results (default: results). A cell has DATASET/MODEL in it.")
    private @Nullable Path results;

    @Option(names = "--overwrite", description = "Replace finished results.")
    private boolean overwrite;

    @Override
    public void check() {
        BaseCommand.isNoFile("--results", results);
    }

    /**
     * Refuses a folder that cannot hold the cells.
     *
     * @param cells how many there are to be
     */
    public void check(int cells) {}

    /** Whether a folder was named. */
    public boolean given() {
        return results != null;
    }

    /** The folder of all results. */
    public Path root() {
        return results == null ? ResultFolder.ROOT : results;
    }

    /** The folder of a cell. */
    public Path folder(String dataset, String model) {
        return ResultFolder.of(root(), dataset, model);
    }

    /** Whether results that are there are replaced. */
    public boolean overwrite() {
        return overwrite;
    }
}

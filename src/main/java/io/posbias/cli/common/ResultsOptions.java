package io.posbias.cli.common;

import io.posbias.result.ResultFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The folder of many cells, in which each has its own: {@code mitigate} takes it alone, and {@link CellOptions} have it. */
public final class ResultsOptions implements Checked {
    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Folder of all results (default: results). A cell has DATASET/MODEL in it.")
    private @Nullable Path results;

    @Option(names = "--overwrite", description = "Replace finished results.")
    private boolean overwrite;

    /** Refuses a file where the folder is to be. */
    @Override
    public void check() {
        Verb.isNoFile("--results", results);
    }

    /** Whether the folder was named. */
    boolean given() {
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

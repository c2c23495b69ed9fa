package io.posbias.cli.common;

import io.posbias.result.ResultFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The folder of many cells, in which each has its own: {@code mitigate} takes it alone, and {@link CellOptions} have it. */
@Command(optionListHeading = "Output:")
public final class ResultsOptions {
    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Folder of all results, in which a cell has DATASET/MODEL (default: results).")
    private @Nullable Path results;

    @Option(names = "--overwrite", description = "Replace the result that is there.")
    private boolean overwrite;

    /** Refuses a file where the folder is to be. */
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

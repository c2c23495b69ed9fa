package io.posbias.cli.common;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Where the files of cells go: --out is the folder of one cell, whatever else is evaluated; --results is the folder of
 * many. Shared by {@code eval}, {@code score} and {@code pool}.
 */
@Command(optionListHeading = "Output:")
public final class CellOptions {
    @Mixin
    private ResultsOptions results = new ResultsOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder of the files themselves, for one model on one dataset.")
    private @Nullable Path output;

    /** The earlier name. */
    @Option(names = "--output", hidden = true)
    void earlierName(Path folder) {
        output = folder;
    }

    /**
     * Refuses one folder for several cells.
     *
     * @param cells how many there are to be
     */
    public void check(int cells) {
        Verb.refuse(output != null && results.given(), "give --out or --results, not both");
        Verb.refuse(
                output != null && cells > 1,
                "--out is the folder of one cell, and these are " + cells + ": give --results " + output
                        + ", which will hold DATASET/MODEL for each");
        Verb.isNoFile("--out", output);
    }

    /** Whether a folder was named at all. */
    public boolean given() {
        return output != null || results.given();
    }

    /** Whether --out named the folder. */
    public boolean namesFolder() {
        return output != null;
    }

    /** The folder of all results. */
    public Path root() {
        return results.root();
    }

    /** The folder of a cell. */
    public Path folder(String dataset, String model) {
        return output == null ? results.folder(dataset, model) : output;
    }

    /** Whether results that are there are replaced. */
    public boolean overwrite() {
        return results.overwrite();
    }
}

package io.posbias.cli.common;

import io.posbias.result.ModelFolders;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where what was found of each model goes, and its form on stdout. */
public final class OutputOptions extends FormatOption implements Checked {
    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for MODEL/result.json and MODEL/scores.csv (default: print only).")
    private @Nullable Path output;

    @Heading("Output:")
    @BelongsTo({"--out", "--output"})
    @Option(names = "--overwrite", description = "Replace the results in that folder.")
    private boolean overwrite;

    /** The earlier name. */
    @Option(names = "--output", hidden = true)
    void earlierName(Path folder) {
        output = folder;
    }

    /** Before anything is scored that could not be written. */
    @Override
    public void check() {
        BaseCommand.isNoFile("--out", output);
    }

    /** Where results go. */
    public ModelFolders folders() {
        return new ModelFolders(output, overwrite);
    }
}

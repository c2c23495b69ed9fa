package io.posbias.cli.common;

import io.posbias.result.ModelFolders;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where what was found of each model goes; shared by all that score pairs and changed documents. */
public final class OutputOptions implements Checked {
    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for MODEL/result.json and MODEL/scores.csv (default: print only).")
    private @Nullable Path output;

    /** The earlier name. */
    @Option(names = "--output", hidden = true)
    void earlierName(Path folder) {
        output = folder;
    }

    @Heading("Output:")
    @Option(names = "--overwrite", description = "Replace the results in that folder.")
    private boolean overwrite;

    /** Checks what picocli cannot: before anything is scored that could not be written. */
    @Override
    public void check() {
        Verb.belongs(overwrite && output == null, "--overwrite", "--out");
        Verb.isNoFile("--out", output);
    }

    /** Where results go. */
    public ModelFolders folders() {
        return new ModelFolders(output, overwrite);
    }
}

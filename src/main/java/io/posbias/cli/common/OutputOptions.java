package io.posbias.cli.common;

import io.posbias.score.result.ModelFolders;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

public final class OutputOptions extends FormatOption implements Checked {
    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for MODEL/result.json and MODEL/scores.csv (default: print only).")
    private @Nullable Path output;

    @Heading("Output:")
    @BelongsTo("--out")
    @Option(names = "--overwrite", description = "Replace results in that folder.")
    private boolean overwrite;

    /** Refuses a file before any scoring. */
    @Override
    public void check() {
        BaseCommand.isWritable("--out", output);
    }

    public ModelFolders folders() {
        return new ModelFolders(output, overwrite);
    }
}

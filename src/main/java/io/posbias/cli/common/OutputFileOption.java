package io.posbias.cli.common;

import io.posbias.base.files.Staging;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Output file of one text. */
public final class OutputFileOption implements Checked {
    @Option(names = "--output", paramLabel = "FILE", description = "Output file (default: stdout).")
    private @Nullable Path output;

    @Override
    public void check() {
        if (output != null) {
            Staging.checkFile(output);
        }
    }

    public boolean isGiven() {
        return output != null;
    }

    /** Writes the text into the file, or prints it without one. */
    public void deliver(String text, BaseCommand command) {
        if (output == null) {
            command.print(text);
        } else {
            Staging.writeFile(output, text);
            command.say("report in " + output);
        }
    }
}

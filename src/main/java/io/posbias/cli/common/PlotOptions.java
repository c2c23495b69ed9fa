package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.plot.Figure;
import io.posbias.plot.Pictures;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Where pictures go; shared by all that draw what they found. */
@Command(optionListHeading = "Output:")
public final class PlotOptions {
    @Option(
            names = "--plots",
            paramLabel = "DIR",
            description = "Also draw the results into this folder, as SVG and PNG (docs/plots.md).")
    private @Nullable Path folder;

    /**
     * Draws, if a folder was asked for, and says which files are there.
     *
     * @param figures makes them, by their files' names, when they are needed
     */
    public void draw(Session session, Supplier<Map<String, Figure>> figures) {
        if (folder == null) {
            return;
        }
        List<Path> files = Pictures.write(figures.get(), folder);
        if (files.isEmpty()) {
            session.say("note: --plots: this result has nothing to draw");
        }
        files.forEach(file -> session.say("written: " + file));
    }
}

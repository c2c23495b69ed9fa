package io.posbias.cli.common;

import io.posbias.base.plot.Figure;
import io.posbias.base.process.Session;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

public final class PlotOptions implements Checked {
    @ArgGroup(exclusive = false)
    private @Nullable Drawing drawing;

    /** A group, so that --plots is required with its options. */
    static final class Drawing extends FigureOptions {
        @Option(
                names = "--plots",
                required = true,
                paramLabel = "DIR",
                description = "Folder for figures. See docs/report.md.")
        private Path folder = Path.of("");
    }

    @Override
    public void check() {
        BaseCommand.isWritable("--plots", drawing == null ? null : drawing.folder);
    }

    public boolean areGiven() {
        return drawing != null;
    }

    /** Draws figures by file name if a folder was given, and prints the files. */
    public void draw(Session session, Supplier<Map<String, Figure>> figures) {
        Drawing asked = drawing;
        if (asked != null) {
            asked.draw(session, "--plots", asked.folder, figures);
        }
    }
}

package io.posbias.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where pictures go; shared by all that draw what they found. */
final class PlotOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--plots",
            paramLabel = "DIR",
            description = "Also draw what was found into this folder, as SVG and PNG (docs/plots.md).")
    private @Nullable Path folder;

    /**
     * Draws, if a folder was asked for, and says which files are there.
     *
     * @param drawing writes pictures into a folder
     */
    void draw(Function<Path, List<Path>> drawing) {
        if (folder == null) {
            return;
        }
        List<Path> files = drawing.apply(folder);
        PrintWriter err = spec.commandLine().getErr();
        if (files.isEmpty()) {
            err.println("note: --plots: this result holds nothing that can be drawn");
        }
        files.forEach(file -> err.println("written: " + file));
        err.flush();
    }
}

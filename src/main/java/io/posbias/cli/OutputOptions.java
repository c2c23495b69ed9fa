package io.posbias.cli;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import io.posbias.report.ResultFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where what was found of each model goes; shared by all that score pairs and changed documents. */
final class OutputOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Folder for MODEL/result.json and MODEL/scores.csv (default: print only).")
    private @Nullable Path output;

    /** Writes both files of a model, whole or not at all, and says where; nothing where no folder was asked for. */
    void write(String model, Supplier<byte[]> result, Supplier<String> scores) {
        if (output == null) {
            return;
        }
        Path folder = output.resolve(model);
        try (Staging staging = Staging.within(folder)) {
            Files.write(staging.folder().resolve(ResultFile.NAME), result.get());
            Files.writeString(staging.folder().resolve("scores.csv"), scores.get());
            staging.commitFiles(ResultFile.NAME);
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", folder, refused), refused);
        }
        PrintWriter err = spec.commandLine().getErr();
        err.println("files in " + folder);
        err.flush();
    }
}

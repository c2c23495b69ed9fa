package io.posbias.cli;

import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import io.posbias.UsageException;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ScoredItem;
import io.posbias.report.ProbeFiles;
import io.posbias.report.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where what was found of each model goes; shared by all that score pairs and changed documents. */
final class OutputOptions {
    private static final String SCORES = "scores.csv";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Folder for MODEL/result.json and MODEL/scores.csv (default: print only).")
    private @Nullable Path output;

    @Option(names = "--overwrite", description = "Replace results that are in that folder.")
    private boolean overwrite;

    /** Checks what picocli cannot: before anything is scored that could not be written. */
    void check() {
        if (overwrite && output == null) {
            throw new UsageException("--overwrite belongs to --output");
        }
        if (output != null && Files.exists(output) && !Files.isDirectory(output)) {
            throw new UsageException("--output " + output + " is a file");
        }
    }

    /**
     * The scores that an earlier run wrote of the same items with the same recipe.
     *
     * @return empty when there is none, or it is to be replaced
     * @throws PosbiasException when there is another result: it is not replaced unasked
     */
    Optional<List<ScoredItem>> finished(String model, ProbeFiles.Scored by, List<ProbeItem> items) {
        if (output == null || overwrite || !Files.exists(file(output, model, ResultFile.NAME))) {
            return Optional.empty();
        }
        Path folder = output.resolve(model);
        if (!by.equals(ProbeFiles.Scored.of(Json.readJson(file(output, model, ResultFile.NAME))))) {
            throw otherwise(folder, "is of another model or of other texts");
        }
        List<ScoredItem> scored = ProbeFiles.read(file(output, model, SCORES), items);
        say(model + ": scored before, see " + folder + " (--overwrite scores again)");
        return Optional.of(scored);
    }

    private static Path file(Path output, String model, String name) {
        return output.resolve(model).resolve(name);
    }

    /**
     * Writes both files of a model, whole or not at all, and says where; nothing where no folder was asked for.
     *
     * @throws PosbiasException if the folder holds another result, which is not replaced unasked
     */
    void write(String model, Supplier<byte[]> result, Supplier<String> scores) {
        if (output == null) {
            return;
        }
        Path folder = output.resolve(model);
        byte[] bytes = result.get();
        if (!overwrite && !isFree(folder, bytes)) {
            throw otherwise(folder, "is another one than this run's");
        }
        try (Staging staging = Staging.within(folder)) {
            Files.write(staging.folder().resolve(ResultFile.NAME), bytes);
            Files.writeString(staging.folder().resolve(SCORES), scores.get());
            staging.commitFiles(ResultFile.NAME);
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", folder, refused), refused);
        }
        say("files in " + folder);
    }

    /** Whether a folder holds no result, or the same. */
    private static boolean isFree(Path folder, byte[] result) {
        Path file = folder.resolve(ResultFile.NAME);
        try {
            return !Files.exists(file) || Arrays.equals(Files.readAllBytes(file), result);
        } catch (IOException unreadable) {
            throw new PosbiasException(Problems.describe("read", file, unreadable), unreadable);
        }
    }

    private static PosbiasException otherwise(Path folder, String reason) {
        return new PosbiasException("the result in " + folder + " " + reason
                + ": use --overwrite to replace it, or another --output to keep both");
    }

    private void say(String line) {
        Terminal.say(spec, line);
    }
}

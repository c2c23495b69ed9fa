package io.posbias.encode;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The folders of vectors that earlier runs left. */
public final class CacheFolders {
    private CacheFolders() {}

    /**
     * One model's vectors.
     *
     * @param model the recipe's name
     * @param folder where they are
     * @param dimension numbers of a vector
     * @param format how numbers are kept
     * @param files how many files there are
     * @param bytes their size
     */
    public record Space(String model, Path folder, int dimension, String format, int files, long bytes) {}

    /** The folder of all of them. */
    public static Path in(Path home) {
        return home.resolve("vectors");
    }

    /** What is there, by folder name. */
    public static List<Space> list(Path home) {
        Path root = in(home);
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        List<Space> spaces = new ArrayList<>();
        try (Stream<Path> folders = Files.list(root)) {
            for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
                spaces.add(describe(folder));
            }
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("read", root, refused), refused);
        }
        return spaces;
    }

    private static Space describe(Path folder) throws IOException {
        long bytes = 0;
        List<Path> files = VectorCache.files(folder);
        for (Path file : files) {
            bytes += Files.size(file);
        }
        Path card = folder.resolve(VectorCache.CARD);
        if (!Files.isRegularFile(card)) {
            return new Space(String.valueOf(folder.getFileName()), folder, 0, "?", files.size(), bytes);
        }
        Fields fields = Json.readJson(card);
        return new Space(
                fields.text("model"),
                folder,
                fields.integer("dimension", 0),
                fields.text("format", "float32"),
                files.size(),
                bytes);
    }

    /** Deletes some folders. */
    public static void delete(List<Space> spaces) {
        spaces.forEach(space -> Staging.delete(space.folder()));
    }
}

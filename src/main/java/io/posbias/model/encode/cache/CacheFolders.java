package io.posbias.model.encode.cache;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.LockFile;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Folders of cached vectors and of cached replies of language models. */
public final class CacheFolders {
    public static final String REPLIES = ".jsonl";

    private static final String GATE = ".gate.lock";
    private static final String USED = ".use";

    private CacheFolders() {}

    /**
     * Description in a cache folder.
     *
     * @param address of a service whose replies are cached
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CacheCard(
            String schema,
            String model,
            @Nullable String address,
            String space,
            @Nullable Integer dimension,
            String format) {
        /** Writes the card, unless the folder has one. */
        public void sealIn(Path folder) throws IOException {
            Path file = folder.resolve(VectorCache.CARD);
            if (!Files.exists(file)) {
                Staging.replace(file, out -> out.write(Json.toBytes(this)));
            }
        }
    }

    /** Returns a file name that no other process uses. */
    public static Path fresh(Path folder, String ending) {
        return folder.resolve(
                Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "-" + LockFile.random() + ending);
    }

    public static FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ);
    }

    /**
     * Cache folder of a model.
     *
     * @param dimension 0 if unknown, and of replies
     * @param format of the numbers, or {@code replies}
     */
    public record Space(String model, Path folder, int dimension, String format, int files, long bytes) {}

    public static Path in(Path home) {
        return home.resolve("vectors");
    }

    public static Path repliesIn(Path home) {
        return home.resolve("replies");
    }

    /** Lists vectors by folder name, then replies. */
    public static List<Space> list(Path home) {
        List<Space> spaces = new ArrayList<>(list(in(home), VectorCache.ENDING));
        spaces.addAll(list(repliesIn(home), REPLIES));
        return spaces;
    }

    /** Lists the files with an ending, sorted by name. */
    public static List<Path> files(Path folder, String ending) throws IOException {
        return FileNames.in(folder).stream()
                .filter(file -> file.toString().endsWith(ending))
                .toList();
    }

    private static List<Space> list(Path root, String ending) {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        return IoErrors.call("read", root, () -> {
            List<Space> spaces = new ArrayList<>();
            for (Path folder : FileNames.in(root)) {
                if (Files.isDirectory(folder)) {
                    spaces.add(describe(folder, ending));
                }
            }
            return spaces;
        });
    }

    private record Card(
            String model,
            @Setting(usual = "0") int dimension,
            @Setting(usual = "float32") String format) {}

    private static Space describe(Path folder, String ending) throws IOException {
        long bytes = 0;
        List<Path> files = files(folder, ending);
        for (Path file : files) {
            bytes += Files.size(file);
        }
        try {
            Card card = Json.bind(Json.readJson(folder.resolve(VectorCache.CARD)), Card.class);
            return new Space(card.model, folder, card.dimension, card.format, files.size(), bytes);
        } catch (PosbiasException broken) {
            // Without a readable card the folder's name has to do.
            return new Space(String.valueOf(folder.getFileName()), folder, 0, "?", files.size(), bytes);
        }
    }

    /**
     * Deletes a folder, unless a process has it open.
     *
     * @return true if it was deleted
     * @throws PosbiasException if the folder is not one of {@link #list}, or cannot be deleted
     */
    public static boolean delete(Path home, Space space) {
        if (!List.of(in(home), repliesIn(home)).contains(space.folder().getParent())) {
            throw new PosbiasException(space.folder() + " is not in " + in(home) + " and stays");
        }
        if (Files.isSymbolicLink(space.folder())) {
            // The target may be anything: only the link is deleted.
            Staging.delete(space.folder());
            return true;
        }
        return IoErrors.call("delete", space.folder(), () -> deleteUnused(space.folder()));
    }

    private static boolean deleteUnused(Path folder) throws IOException {
        LockFile gate = LockFile.tryHold(folder.resolve(GATE)).orElse(null);
        if (gate == null) {
            return false;
        }
        try (gate) {
            for (Path file : files(folder, USED)) {
                if (LockFile.isHeld(file)) {
                    return false;
                }
            }
            Staging.delete(folder);
            return true;
        }
    }

    /**
     * Marks a folder as used, which prevents its deletion, until the mark is closed. Waits while it is being deleted; creates
     * it if missing. Without locks (read-only folder, file system) the folder is used unmarked.
     *
     * <p>Each use locks its own file. The folder's gate is locked while a use begins and while the folder is deleted.
     */
    public static Closeable use(Path folder) throws IOException {
        Path mark = folder.resolve("." + LockFile.random() + USED);
        try {
            LockFile gate = LockFile.holdAmongThreads(folder.resolve(GATE));
            try (gate) {
                return LockFile.tryHold(mark).orElseThrow();
            }
        } catch (IOException withoutLocks) {
            if (Files.isDirectory(folder)) {
                return () -> {};
            }
            throw withoutLocks;
        }
    }

    /** Returns the bytes of all files below a folder; 0 if it does not exist. */
    public static long size(Path folder) {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        long[] bytes = {0};
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    bytes[0] += attributes.isRegularFile() ? attributes.size() : 0;
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException refused) {
            throw IoErrors.refused("read", folder, refused);
        }
        return bytes[0];
    }
}

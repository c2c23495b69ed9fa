package io.posbias;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A hidden folder in which results are made before they are shown, so that what is under its final name is whole or
 * absent. Closing without a commit deletes it; so does the end of the process, and what a killed process left behind is
 * deleted by the next one that stages in the same place.
 */
public final class Staging implements AutoCloseable {
    private static final String MARK = ".posbias-";
    private static final String OLD = "-old";
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();
    private static @Nullable Thread hook;

    private final Path target;
    private final Path folder;
    /** Folders that had to be made for this one, deepest first. */
    private final List<Path> made;

    private Staging(Path target, Path folder, List<Path> made) {
        this.target = target;
        this.folder = folder;
        this.made = made;
    }

    /** Stages files that {@link #commitFiles} will move into the folder {@code target}, which may hold other files. */
    public static Staging within(Path target) {
        Path absolute = target.toAbsolutePath().normalize();
        return open(target, absolute, absolute, MARK);
    }

    /** Stages a folder that {@link #commitFolder} will rename to {@code target}. */
    public static Staging beside(Path target) {
        Path absolute = target.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        if (parent == null) {
            throw new PosbiasException("cannot write " + target + ": it is the root of the file system");
        }
        return open(target, absolute, parent, MARK + absolute.getFileName() + "-");
    }

    private static Staging open(Path shown, Path target, Path parent, String prefix) {
        return Problems.got("write", shown, () -> {
            List<Path> made = missing(parent);
            Files.createDirectories(parent);
            clearAbandoned(target, parent, prefix);
            Path folder = parent.resolve(prefix + ProcessHandle.current().pid());
            deleteTree(folder);
            registerHook();
            OPEN.add(folder);
            Files.createDirectory(folder);
            return new Staging(target, folder, made);
        });
    }

    private static List<Path> missing(Path parent) {
        List<Path> missing = new ArrayList<>();
        for (Path path = parent; path != null && !Files.exists(path); path = path.getParent()) {
            missing.add(path);
        }
        return missing;
    }

    /** The folder to write into. */
    public Path folder() {
        return folder;
    }

    /**
     * Moves the staged files into the target one by one, the sealing file last: whoever finds the seal finds all of
     * them, of one making. An older seal is removed first.
     *
     * @param seal the file whose presence says that the others are complete
     */
    public void commitFiles(String seal) {
        Problems.tried("write", target, () -> {
            Files.deleteIfExists(target.resolve(seal));
            for (Path file : listed(folder, file -> !file.endsWith(seal))) {
                move(file, target.resolve(file.getFileName()));
            }
            move(folder.resolve(seal), target.resolve(seal));
        });
    }

    private static List<Path> listed(Path folder, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(wanted).sorted().toList();
        }
    }

    /** Renames the whole staging folder to the target, replacing an older folder of that name. */
    public void commitFolder() {
        Problems.tried("write", target, () -> {
            Path old = folder.resolveSibling(folder.getFileName() + OLD);
            if (Files.exists(target)) {
                move(target, old);
            }
            move(folder, target);
            deleteTree(old);
        });
    }

    /** Deletes what was staged and not committed, and the folders that were made for it and stayed empty. */
    @Override
    public void close() {
        try {
            deleteTree(folder);
            OPEN.remove(folder);
            for (Path path : made) {
                Files.deleteIfExists(path);
            }
        } catch (DirectoryNotEmptyException committed) {
            // The usual end: the folder holds results now.
        } catch (IOException leftBehind) {
            // Still in OPEN, so the end of the process tries again; the failure that brought us here matters more.
        }
    }

    /** Renames a file or folder, or copies it where renaming cannot reach. */
    public static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException notAtomic) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * Clears what processes that no longer live staged under the same prefix. One that died between the two renames of
     * {@link #commitFolder} left the older target aside: it is put back first.
     */
    private static void clearAbandoned(Path target, Path parent, String prefix) throws IOException {
        for (Path path : listed(parent, path -> isAbandoned(path, prefix))) {
            if (path.toString().endsWith(OLD) && !Files.exists(target)) {
                move(path, target);
            }
            deleteTree(path);
        }
    }

    private static boolean isAbandoned(Path path, String prefix) {
        String name = String.valueOf(path.getFileName());
        if (!name.startsWith(prefix)) {
            return false;
        }
        try {
            String suffix = name.substring(prefix.length());
            String pid = suffix.endsWith(OLD) ? suffix.substring(0, suffix.length() - OLD.length()) : suffix;
            return !ProcessHandle.of(Long.parseLong(pid))
                    .map(ProcessHandle::isAlive)
                    .orElse(false);
        } catch (NumberFormatException notOurs) {
            return false;
        }
    }

    private static synchronized void registerHook() {
        if (hook == null) {
            Thread thread = new Thread(Staging::deleteOpen, "posbias-clean-up");
            Runtime.getRuntime().addShutdownHook(thread);
            hook = thread;
        }
    }

    private static void deleteOpen() {
        for (Path folder : OPEN) {
            try {
                deleteTree(folder);
            } catch (IOException stillWritten) {
                // A thread may be writing into it at this moment; the next run that stages here deletes the rest.
            }
        }
    }

    /** Writes a text in UTF-8, as {@link #writeFile(Path, byte[])} does. */
    public static void writeFile(Path file, String text) {
        writeFile(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes one file whole or not at all, replacing an older one; folders on the way to it are made.
     *
     * @throws PosbiasException if that is refused
     */
    public static void writeFile(Path file, byte[] content) {
        Path absolute = file.toAbsolutePath().normalize();
        try {
            Path parent = absolute.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            if (Files.isDirectory(absolute)) {
                throw new PosbiasException("cannot write " + file + ": it is a folder");
            }
            replace(absolute, content);
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
    }

    /** Writes one file of a folder that is there, whole or not at all, replacing an older one. */
    public static void replace(Path file, byte[] content) throws IOException {
        Path part = file.resolveSibling(
                MARK + file.getFileName() + "-" + ProcessHandle.current().pid());
        try {
            Files.write(part, content);
            move(part, file);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Makes a folder among the system's temporary ones, which its user deletes. */
    public static Path temporary(String prefix) {
        try {
            return Files.createTempDirectory(prefix);
        } catch (IOException refused) {
            throw new PosbiasException(
                    Problems.describe("write", Path.of(System.getProperty("java.io.tmpdir")), refused), refused);
        }
    }

    /** Deletes a folder with all it holds, following no links; does nothing when it is absent. */
    public static void delete(Path root) {
        Problems.tried("delete", root, () -> deleteTree(root));
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException vanished) {
            throw Objects.requireNonNull(vanished.getCause());
        }
    }
}

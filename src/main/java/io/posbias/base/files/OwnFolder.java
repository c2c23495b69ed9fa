package io.posbias.base.files;

import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * An output folder that a command fills over several runs. A hidden file lists the command and its files; other files
 * are never replaced.
 *
 * @param command for example {@code train}
 */
public record OwnFolder(Path folder, String command) {
    private static final String MARK = ".posbias-folder";
    private static final String LOCK = MARK + ".lock";

    /**
     * Marks the folder as the command's and locks it. Waits for other processes; what the folder holds is read after
     * the wait.
     *
     * @throws UsageException if it holds other files
     */
    public LockFile claim(Session session) {
        return IoErrors.call("write", folder, () -> {
            refuseForeign();
            LockFile lock = LockFile.hold(folder.resolve(LOCK), "writing " + folder, session);
            try {
                refuseForeign();
                if (lines().isEmpty()) {
                    write(List.of(command));
                }
                return lock;
            } catch (IOException | RuntimeException refused) {
                lock.close();
                throw refused;
            }
        });
    }

    private void refuseForeign() throws IOException {
        List<String> lines = lines();
        boolean isOwn = !lines.isEmpty() && lines.getFirst().equals(command);
        if (!isOwn && Files.exists(folder)) {
            refuseFull();
        }
    }

    private void refuseFull() throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new UsageException("--out " + folder + " is a file: give a folder");
        }
        // Locks stay behind, and a kill may leave a part of the mark.
        Predicate<Path> isOwn = file -> Files.isRegularFile(file)
                && !file.endsWith(MARK)
                && String.valueOf(file.getFileName()).startsWith(".posbias");
        FileNames.in(folder).stream().filter(isOwn.negate()).findFirst().ifPresent(foreign -> {
            throw new UsageException("--out " + folder + " holds " + Printable.of(String.valueOf(foreign.getFileName()))
                    + ", which was not written by 'posbias " + command + "': give a new or empty folder");
        });
    }

    /**
     * Registers an output before it is written.
     *
     * @param name relative to the folder
     * @throws UsageException if an unregistered file has this name
     */
    public void make(String name) {
        Path path = folder.resolve(name);
        IoErrors.run("write", path, () -> {
            List<String> known = lines();
            if (known.contains(name) && !Files.isSymbolicLink(path)) {
                return;
            }
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new UsageException(
                        path + " exists but was not written by 'posbias " + command + "': move it away");
            }
            List<String> more = new ArrayList<>(known.isEmpty() ? List.of(command) : known);
            more.add(name);
            write(more);
        });
    }

    private List<String> lines() throws IOException {
        Path mark = folder.resolve(MARK);
        return Files.isRegularFile(mark) ? Files.readAllLines(mark) : List.of();
    }

    private void write(List<String> lines) {
        Staging.writeFile(folder.resolve(MARK), String.join("\n", lines) + "\n");
    }
}

package io.posbias;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A folder that a command fills over several runs. A hidden file in it, written before anything else, says which command it
 * belongs to and what that made in it: nothing else is ever replaced.
 *
 * @param folder where it is
 * @param command for example {@code train}
 */
public record OwnFolder(Path folder, String command) {
    private static final String MARK = ".posbias-folder";

    /**
     * Makes the folder the command's own.
     *
     * @throws UsageException if it holds files and is not the command's own already
     */
    public void claim() {
        IoErrors.run("write", folder, () -> {
            if (!lines().isEmpty() && lines().getFirst().equals(command)) {
                return;
            }
            if (Files.exists(folder)) {
                refuseFull();
            }
            write(List.of(command));
        });
    }

    private void refuseFull() throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new UsageException("--out " + folder + " is a file: give a folder");
        }
        try (Stream<Path> files = Files.list(folder)) {
            // Locks stay behind, and a kill may leave a part of the mark.
            Predicate<Path> isOwn = file -> Files.isRegularFile(file)
                    && !file.endsWith(MARK)
                    && String.valueOf(file.getFileName()).startsWith(".posbias");
            files.filter(isOwn.negate()).sorted().findFirst().ifPresent(foreign -> {
                throw new UsageException(
                        "--out " + folder + " holds " + Printable.of(String.valueOf(foreign.getFileName()))
                                + ", which 'posbias " + command + "' did not make: give a new or empty folder");
            });
        }
    }

    /**
     * Notes that the command makes something in its folder, before it does.
     *
     * @param name relative to the folder
     * @throws UsageException if that is there and somebody else's
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
                        path + " is there, and 'posbias " + command + "' did not make it: move it away");
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

    private void write(List<String> lines) throws IOException {
        Files.createDirectories(folder);
        String text = String.join("\n", lines) + "\n";
        Staging.replace(folder.resolve(MARK), text.getBytes(StandardCharsets.UTF_8));
    }
}

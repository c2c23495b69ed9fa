package io.posbias.faults;

import io.posbias.base.files.Checksums;
import io.posbias.cli.Cli;
import io.posbias.cli.Posbias;
import io.posbias.faults.Mutator.Coding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A kind of file that posbias reads: a sound one, and a command that reads it.
 *
 * @param name of the kind
 * @param coding how the file holds what it holds
 * @param digest what the digest of the file in another file becomes
 * @param folder all that the command reads and writes, its output in {@code out}
 * @param file the file in that folder
 * @param posbias runs the command, with its home in the folder
 * @param command without the launcher
 */
record FileKind(
        String name, Coding coding, Digest digest, Folder folder, String file, Posbias posbias, List<Object> command) {
    static final String OUT = "out";

    enum Digest {
        NONE,
        /** It stays: other bytes must be noticed, or made again. */
        KEPT,
        /** It is updated to the broken file, whose content is then read. */
        UPDATED
    }

    /** What a command gave: its code, what it printed, and its files but for those that say how they were made. */
    record Given(Cli.Ended ended, Map<String, String> files) {}

    Path path() {
        return folder.at(file);
    }

    FileKind withOut(String other) {
        List<Object> words = command.stream()
                .map(word -> word.equals(folder.at(OUT).toString()) ? folder.at(other) : word)
                .toList();
        return new FileKind(name, coding, digest, folder, file, posbias, words);
    }

    void write(byte[] broken) throws IOException {
        String old = Checksums.sha256(path());
        Files.write(path(), broken);
        if (digest == Digest.UPDATED && !replaceNearest(old, Checksums.sha256(path()))) {
            throw new IllegalStateException(name + " has no digest");
        }
    }

    /** Replaces a digest in the nearest folder above the file that has it: an equal file elsewhere keeps its own. */
    boolean replaceNearest(String old, String by) {
        return Stream.iterate(path().getParent(), above -> above.startsWith(folder.root()), Path::getParent)
                .anyMatch(above -> new Folder(above).replace(old, by));
    }

    Given run() {
        return new Given(posbias.run(command.toArray()), folder.digests(OUT, FileKind::isResult));
    }

    /** Times, machines and digests of what was read are in the others. */
    static boolean isResult(String file) {
        return !file.endsWith("result.json")
                && !file.endsWith("train.json")
                && !file.endsWith(".yaml")
                && !file.endsWith(".html");
    }

    @Override
    public String toString() {
        return name;
    }
}

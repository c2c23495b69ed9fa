package io.posbias.faults;

import io.posbias.cli.Cli;
import io.posbias.cli.Posbias;
import io.posbias.faults.Mutator.Coding;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A kind of file that posbias reads: a sound one, and a command that reads it.
 *
 * @param name of the kind
 * @param coding how the file holds what it holds
 * @param sealed whether a digest elsewhere says what the file must be: any other bytes must be noticed, or made again
 * @param folder all that the command reads and writes, its output in {@code out}
 * @param file the file in that folder
 * @param posbias runs the command, with its home in the folder
 * @param command without the launcher
 */
record FileKind(
        String name, Coding coding, boolean sealed, Folder folder, String file, Posbias posbias, List<Object> command) {
    static final String OUT = "out";

    /** What a command gave: its code, what it printed, and its files but for those that say how they were made. */
    record Given(Cli.Ended ended, Map<String, String> files) {}

    Path path() {
        return folder.at(file);
    }

    Given run() {
        return new Given(posbias.run(command.toArray()), folder.digests(OUT, FileKind::isResult));
    }

    /** Times, machines and digests of what was read are in the others. */
    private static boolean isResult(String file) {
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

package io.posbias;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Names of files and folders that come from data, such as a model's in a result or an archive's entry: whoever makes a
 * path of one goes through {@link #inside}, so that nothing is written or read outside the folder it belongs to.
 */
public final class FileNames {
    private FileNames() {}

    /**
     * The file or folder of a name, inside a folder.
     *
     * @param name its parts with {@code /} between them
     * @throws PosbiasException if a part is empty, {@code .} or {@code ..}, or cannot name a file
     */
    public static Path inside(Path folder, String name) {
        if (!staysInside(name)) {
            throw refused(folder, name, "leads out of the folder, or cannot be that of a file");
        }
        return folder.resolve(name);
    }

    /**
     * The same for a name that is one part: no folder below that folder.
     *
     * @throws PosbiasException if the name is none
     */
    public static Path directlyIn(Path folder, String name) {
        if (name.contains("/")) {
            throw refused(folder, name, "is not that of one file or folder");
        }
        return inside(folder, name);
    }

    /** Whether a name is of parts that lead down only, and the file system can have them. */
    public static boolean staysInside(String name) {
        return Arrays.stream(name.split("/", -1))
                        .noneMatch(
                                part -> part.isEmpty() || part.equals(".") || part.equals("..") || part.contains("\\"))
                && isPath(name);
    }

    private static boolean isPath(String text) {
        try {
            return !Path.of(text).isAbsolute();
        } catch (InvalidPathException impossible) {
            return false;
        }
    }

    /**
     * A path that a file or a person wrote, wherever it leads.
     *
     * @throws PosbiasException if it cannot be a path
     */
    public static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException impossible) {
            throw new PosbiasException(Printable.quoted(text) + " cannot be a path here", impossible);
        }
    }

    private static PosbiasException refused(Path folder, String name, String reason) {
        return new PosbiasException("cannot use " + Printable.quoted(name) + " in " + folder + ": the name " + reason);
    }
}

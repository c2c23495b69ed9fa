package io.posbias.base.json;

import io.posbias.base.text.Printable;
import java.nio.file.Path;

/**
 * A place in an input file.
 *
 * @param line counted from 1; 0 stands for the whole file
 */
public record Location(Path file, long line) {
    public static Location of(Path file) {
        return new Location(file, 0);
    }

    /** The place without the folder, for texts that are stored: no user name is in them. */
    public String inFolder() {
        return text(String.valueOf(file.getFileName()));
    }

    @Override
    public String toString() {
        return text(file.toString());
    }

    private String text(String path) {
        String name = Printable.of(path);
        return line == 0 ? name : name + ":" + line;
    }
}

package io.posbias;

import java.nio.file.Path;

/**
 * A place in an input file, as an error names it.
 *
 * @param file the file as the user knows it
 * @param line its line or row, counted from 1; 0 stands for the file as a whole
 */
public record Location(Path file, long line) {
    /** The file as a whole. */
    public static Location of(Path file) {
        return new Location(file, 0);
    }

    @Override
    public String toString() {
        String name = Printable.of(file.toString());
        return line == 0 ? name : name + ":" + line;
    }
}

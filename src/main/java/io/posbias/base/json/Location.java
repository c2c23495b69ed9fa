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

    @Override
    public String toString() {
        String name = Printable.of(file.toString());
        return line == 0 ? name : name + ":" + line;
    }
}

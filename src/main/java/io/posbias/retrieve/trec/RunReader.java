package io.posbias.retrieve.trec;

import io.posbias.PosbiasException;
import io.posbias.dataset.Dataset;
import io.posbias.retrieve.Run;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reader of external runs, in the format of their file's name. */
public final class RunReader {
    /** Ending of JSON runs; all others are TREC runs, and each may be gzipped. */
    private static final String JSON = ".json";

    private RunReader() {}

    /**
     * @param run with queries in the order of their first lines
     * @param negative number of scores below zero
     */
    public record Read(Run run, long negative) {}

    /**
     * Reads a run: {@code .json} by {@link JsonRunReader}, others by {@link TrecRunReader}.
     *
     * @param file gzipped if its name ends with {@code .gz}
     */
    public static Read read(Path file, Dataset dataset) {
        if (!Files.isRegularFile(file)) {
            throw new PosbiasException("cannot read " + file + ": file not found");
        }
        String name = file.toString();
        String plain = name.endsWith(".gz") ? name.substring(0, name.length() - ".gz".length()) : name;
        return plain.endsWith(JSON) ? JsonRunReader.read(file, dataset) : TrecRunReader.read(file, dataset);
    }
}

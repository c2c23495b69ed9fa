package io.posbias.retrieve.trec;

import io.posbias.PosbiasException;
import io.posbias.dataset.Dataset;
import io.posbias.retrieve.Run;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a run made by any system, in the form that its name says. */
public final class RunReader {
    /** The endings of runs as JSON; all others are TREC's, and each may be gzipped. */
    private static final String JSON = ".json";

    private RunReader() {}

    /**
     * What was read.
     *
     * @param run the rankings, queries in the order in which they are in the file first
     * @param negative how many scores are below zero
     */
    public record Read(Run run, long negative) {}

    /**
     * Reads a run, {@code .json} as {@link JsonRunReader} and everything else as {@link TrecRunReader}.
     *
     * @param file gzipped when its name ends with {@code .gz}
     * @param dataset the benchmark it answers
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

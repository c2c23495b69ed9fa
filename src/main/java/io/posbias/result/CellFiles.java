package io.posbias.result;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A result and its folder.
 *
 * @param folder null if the file contains several results, so that other files are ambiguous
 */
public record CellFiles(Result result, @Nullable Path folder) {
    /** Returns the cell if it has queries.csv. */
    public Optional<FinishedCell> finished() {
        return Optional.ofNullable(folder)
                .filter(own -> Files.isRegularFile(own.resolve(CsvFiles.QUERIES)))
                .map(own -> new FinishedCell(own, result));
    }

    /** Returns a file of the cell, see {@link FinishedCell#file}. */
    public Optional<Path> file(String name) {
        return Optional.ofNullable(folder).flatMap(own -> new FinishedCell(own, result).file(name));
    }
}

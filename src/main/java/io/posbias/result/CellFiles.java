package io.posbias.result;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A result that was read.
 *
 * @param result the result
 * @param folder where its other files lie; null when its file holds other results as well, so that they could be of those
 */
public record CellFiles(Result result, @Nullable Path folder) {
    /** The cell, if its queries are there. */
    public Optional<FinishedCell> finished() {
        return Optional.ofNullable(folder)
                .filter(own -> Files.isRegularFile(own.resolve(CsvFiles.QUERIES)))
                .map(own -> new FinishedCell(own, result));
    }

    /** One of its other files, as {@link FinishedCell#file} gives it. */
    public Optional<Path> file(String name) {
        return Optional.ofNullable(folder).flatMap(own -> new FinishedCell(own, result).file(name));
    }
}

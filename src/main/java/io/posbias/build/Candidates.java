package io.posbias.build;

import io.posbias.Fields;
import io.posbias.dataset.JsonLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The lines that a stage wrote, read from its file each time they are asked for.
 *
 * @param file of the stage; empty before the first one
 */
public record Candidates(Optional<Path> file) {
    /** All lines, those that were dropped too. */
    public void forEachLine(Consumer<Candidate> visitor) {
        file.ifPresent(path -> new JsonLines(path).forEach((Fields row) -> visitor.accept(Candidate.read(row))));
    }

    /** Those that were kept, in their order. */
    public void forEach(Consumer<Candidate> visitor) {
        forEachLine(candidate -> {
            if (candidate.dropped().isEmpty()) {
                visitor.accept(candidate);
            }
        });
    }

    /** Those that were kept, so many at a time: what a service or a model is given at once. */
    public void forEachBatch(int size, Consumer<List<Candidate>> visitor) {
        List<Candidate> batch = new ArrayList<>();
        forEach(candidate -> {
            batch.add(candidate);
            if (batch.size() == size) {
                visitor.accept(List.copyOf(batch));
                batch.clear();
            }
        });
        if (!batch.isEmpty()) {
            visitor.accept(List.copyOf(batch));
        }
    }
}

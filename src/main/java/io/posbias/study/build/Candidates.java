package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.data.dataset.JsonLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Candidates of a stage, read from its file on each visit.
 *
 * @param file empty before the first stage
 */
public record Candidates(Optional<Path> file) {
    /** Visits all lines, including dropped candidates. */
    public void forEachLine(Consumer<Candidate> visitor) {
        file.ifPresent(path -> new JsonLines(path).forEach((Fields row) -> visitor.accept(new Candidate(row))));
    }

    /** Visits the kept candidates in order. */
    public void forEach(Consumer<Candidate> visitor) {
        forEach(candidate -> true, visitor);
    }

    void forEach(Predicate<Candidate> wanted, Consumer<Candidate> visitor) {
        forEachLine(candidate -> {
            if (candidate.dropped().isEmpty() && wanted.test(candidate)) {
                visitor.accept(candidate);
            }
        });
    }

    long count() {
        long[] kept = {0};
        forEach(candidate -> kept[0]++);
        return kept[0];
    }

    /** Visits the kept candidates in batches. */
    void forEachBatch(int size, Consumer<List<Candidate>> visitor) {
        inBatches(this::forEach, size, visitor);
    }

    /** Visits items in batches, none of them empty. */
    static <T> void inBatches(Consumer<Consumer<T>> items, int size, Consumer<List<T>> visitor) {
        List<T> batch = new ArrayList<>();
        items.accept(item -> {
            batch.add(item);
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

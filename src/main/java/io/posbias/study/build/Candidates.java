package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.data.dataset.JsonLines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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

    /** Writes and counts the candidates of a stage as JSON lines. For one thread. */
    public static final class Sink {
        private final OutputStream out;
        private final Progress.Step step;
        private final Map<String, Long> dropped = new TreeMap<>();
        private final Map<String, Long> positions = new TreeMap<>();
        private final SequencedMap<String, Object> notes = new LinkedHashMap<>();
        private long kept;

        Sink(OutputStream out, Progress.Step step) {
            this.out = out;
            this.step = step;
        }

        public void keep(Candidate candidate) {
            kept++;
            if (candidate.has(Candidate.POSITION)) {
                positions.merge(candidate.text(Candidate.POSITION), 1L, Long::sum);
            }
            write(candidate.toMap());
        }

        /**
         * Drops a candidate.
         *
         * @param why a fixed phrase; candidates are counted by it
         */
        public void drop(Candidate candidate, String why) {
            dropped.merge(why, 1L, Long::sum);
            write(candidate.with(Candidate.DROPPED, why).toMap());
        }

        /**
         * Drops a candidate.
         *
         * @param why a fixed phrase; candidates are counted by it
         * @param detail free text for readers
         */
        public void drop(Candidate candidate, String why, String detail) {
            drop(candidate.with(Candidate.DETAIL, detail), why);
        }

        /** Records a finding for {@code pipeline.yaml} and {@code construct show}, as it is read from there. */
        public void note(String name, Object value) {
            notes.put(name, Json.mapper().readValue(Json.toLine(value), Object.class));
        }

        PipelineRecord.Counts counts() {
            return new PipelineRecord.Counts(kept, dropped, positions, notes);
        }

        private void write(SequencedMap<String, @Nullable Object> values) {
            try {
                out.write(Json.toLine(values));
            } catch (IOException refused) {
                throw new PosbiasException("cannot write a stage: " + refused.getMessage(), refused);
            }
            step.advance(1);
        }
    }
}

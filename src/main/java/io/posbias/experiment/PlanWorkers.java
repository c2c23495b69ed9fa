package io.posbias.experiment;

import io.posbias.encode.Slots;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whom a plan tells the time for. With Spark a cell's work is divided into blocks, and cells are done one after another;
 * without, workers have shares of the cells.
 *
 * @param numbers of workers, each like the machine that is measured
 * @param slots of Spark, which blocks are counted for; null without
 */
public record PlanWorkers(List<Integer> numbers, @Nullable Slots slots) {
    /** Copies the list. */
    public PlanWorkers {
        numbers = List.copyOf(numbers);
    }

    /** Those of Spark for each number; none without. */
    List<Slots> all() {
        return slots == null
                ? List.of()
                : numbers.stream().map(Objects.requireNonNull(slots)::times).toList();
    }
}

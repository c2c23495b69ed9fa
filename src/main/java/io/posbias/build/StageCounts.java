package io.posbias.build;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * What came of a stage.
 *
 * @param kept how many candidates it passed on
 * @param dropped how many it dropped, by why
 * @param positions how many it kept, by {@linkplain Candidate#POSITION position}; empty before there are positions
 * @param notes what else it found, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StageCounts(
        long kept, Map<String, Long> dropped, Map<String, Long> positions, SequencedMap<String, Object> notes) {
    /** Refuses counts without a number, as a broken file may have them. */
    public StageCounts {
        if (Stream.of(dropped, positions)
                .flatMap(counts -> counts.values().stream())
                .anyMatch(Objects::isNull)) {
            throw new IllegalArgumentException("each count is a number");
        }
    }

    /** How many it dropped in all. */
    long allDropped() {
        return sum(dropped);
    }

    /** How many it kept that have no position yet. */
    long unplaced() {
        return kept - sum(positions);
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}

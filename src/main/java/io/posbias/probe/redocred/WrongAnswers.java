package io.posbias.probe.redocred;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the wrong answer of a poisoned document comes from. */
interface WrongAnswers {
    /** What the tag {@code poison_by} calls this way of finding one. */
    String kind();

    /** Is told of all queries before it is asked for the first answer. */
    default void prepare(List<ProbeQuery> queries) {}

    /** A name that a reader could take for the answer of a query and that is not; empty where there is none. */
    Optional<String> of(ProbeQuery query);

    /** How many queries have none, by reason, as far as reasons are known. */
    default Map<String, Integer> refused() {
        return Map.of();
    }

    /** What {@code probes.yaml} says of this way. */
    default Map<String, Object> details() {
        return Map.of();
    }
}

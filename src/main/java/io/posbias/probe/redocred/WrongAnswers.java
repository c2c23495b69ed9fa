package io.posbias.probe.redocred;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the wrong answer of a poisoned document comes from. */
interface WrongAnswers {
    /** What the tag {@code poison_by} calls this way of finding one. */
    String kind();

    /** Is told of all queries before it is asked for the first answer. */
    default void prepare(List<ProbeQuery> queries) {}

    /** A name that a reader could take for the answer of a query and that is not; empty where there is none. */
    Optional<String> of(ProbeQuery query);

    /**
     * What {@code probes.yaml} says of a language model's answers.
     *
     * @param proposalsLeftOut how many queries have no wrong answer, by reason
     */
    record Details(String poisonBy, String promptsSha256, Map<String, Integer> proposalsLeftOut) {}

    /** What {@code probes.yaml} says of this way; null for nothing. */
    default @Nullable Details details() {
        return null;
    }
}

package io.posbias.probe.redocred;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Source of a poisoned document's wrong answer. */
interface WrongAnswers {
    /** Value of the tag {@code poison_by}. */
    String kind();

    /** Receives all queries before the first answer is requested. */
    default void prepare(List<ProbeQuery> queries) {}

    /** A plausible wrong answer to a query; empty if there is none. */
    Optional<String> of(ProbeQuery query);

    /**
     * Language model entries of {@code probes.yaml}.
     *
     * @param proposalsLeftOut queries without a wrong answer, by reason
     */
    record Details(String poisonBy, String promptsSha256, Map<String, Integer> proposalsLeftOut) {}

    /** Entries of {@code probes.yaml}; null for none. */
    default @Nullable Details details() {
        return null;
    }
}

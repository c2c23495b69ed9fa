package io.posbias.probe;

import java.util.Optional;

/** Where the wrong answer of a poisoned document comes from. */
interface WrongAnswers {
    /** What the tag {@code poison_by} calls this way of finding one. */
    String kind();

    /** A name that a reader could take for the answer of a query and that is not; empty where there is none. */
    Optional<String> of(ProbeQuery query);
}

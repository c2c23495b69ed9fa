package io.posbias.probe.redocred;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One bias, made into records: which queries it can be shown with, and the texts for each. */
interface Probe {
    /** Seed of the sample unless told otherwise: the authors'. */
    default int seed() {
        return 0;
    }

    /** How many queries are drawn unless told otherwise: the authors' 250. */
    default int n() {
        return RedocredProbes.PAPER_N;
    }

    /** The queries it can be shown with. */
    Selection select(QueryPool pool);

    /** Is told of the queries that were drawn, before their records are asked for. */
    default void prepare(List<ProbeQuery> drawn) {}

    /** The records of a query that was selected; empty where they cannot be made of it after all. */
    List<ProbeRecord> records(ProbeQuery query);

    /** What else {@code probes.yaml} says of it; asked for after all records. */
    default WrongAnswers.@Nullable Details details() {
        return null;
    }
}

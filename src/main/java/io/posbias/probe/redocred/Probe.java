package io.posbias.probe.redocred;

import io.posbias.probe.ProbeType;
import java.util.List;
import java.util.Map;

/** One bias, made into records: which queries it can be shown with, and the texts for each. */
interface Probe {
    /** What it is. */
    ProbeType type();

    /** What its file and its records are called. */
    default String name() {
        return type().name();
    }

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

    /** How many queries have no record, by reason, as far as reasons are known; asked for after all records. */
    default Map<String, Integer> refused() {
        return Map.of();
    }

    /** What else {@code probes.yaml} says of it; asked for after all records. */
    default Map<String, Object> details() {
        return Map.of();
    }
}

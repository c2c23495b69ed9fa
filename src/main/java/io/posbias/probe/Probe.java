package io.posbias.probe;

import java.util.List;

/** One bias, made into records: which queries it can be shown with, and the texts for each. */
interface Probe {
    /** What its file and its records are called. */
    String name();

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

    /** The records of a query that was selected; empty where they cannot be made of it after all. */
    List<ProbeRecord> records(ProbeQuery query);
}

package io.posbias.study.probe.redocred;

import io.posbias.study.probe.redocred.QueryPool.Selection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A probe of one bias: selects queries and builds their texts. */
interface Probe {
    /** The authors' sample size. */
    int PAPER_N = 250;

    /** Default seed of the sample: the authors'. */
    default int seed() {
        return 0;
    }

    /** Default sample size: the authors' 250. */
    default int n() {
        return PAPER_N;
    }

    Selection select(QueryPool pool);

    /** Receives the sample before records are built. */
    default void prepare(List<ProbeQuery> drawn) {}

    /** The records of a selected query; empty if none can be built. */
    List<ProbeRecord> records(ProbeQuery query);

    /** Further entries of {@code probes.yaml}, requested after all records. */
    default WrongAnswers.@Nullable Details details() {
        return null;
    }
}

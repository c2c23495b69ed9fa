package io.posbias.report.leaderboard;

import io.posbias.measure.Measures;
import io.posbias.result.Result;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The papers whose tables are inside the jar. */
public enum Paper {
    /** Zeng et al. 2025, arXiv:2505.13950: SQuAD-PosQ and FineWeb-PosQ. */
    POSQ,
    /** Zeng et al. 2026, arXiv:2601.08363: PosIR. */
    POSIR,
    /** "Position bias: built in or learned?": models trained on evidence at one place, on both benchmarks of POSQ, BEIR and PosIR. */
    TRAINING,
    /** Fayyaz et al. 2025, arXiv:2503.05037: "Collapse of Dense Retrievers", its retrieval sets. */
    COLDER;

    private static final String TIE_AVERAGED = "nDCG_tieavg@10";

    /** What it printed. */
    public List<Result> results() {
        return switch (this) {
            case POSQ -> PublishedResults.posq();
            case POSIR -> PublishedResults.posir();
            case TRAINING ->
                Stream.of(PublishedResults.training(), TrainingResults.beir(), TrainingResults.posir())
                        .flatMap(List::stream)
                        .toList();
            case COLDER -> PublishedResults.colder();
        };
    }

    /**
     * The measure of its position profiles: the SQuAD-PosQ paper's code scores with scikit-learn's ndcg_score, in which tied
     * passages share their discounts; PosIR's with trec_eval's rule. Of the third paper's code nothing is known.
     */
    public String measure() {
        return this == POSQ ? TIE_AVERAGED : Measures.DEFAULT;
    }

    /** The word in recipes, under {@code published-as}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

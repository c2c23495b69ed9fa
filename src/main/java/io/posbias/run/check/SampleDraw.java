package io.posbias.run.check;

import io.posbias.data.convert.Sampler;

/**
 * Size and seed of the sample of a benchmark.
 *
 * @param questions number of them
 * @param isFull true to ask all instead
 */
public record SampleDraw(int questions, int seed, boolean isFull) {
    /** Gives the share found a standard error below 3 points, and that of a fifth below 7. */
    public static final int QUESTIONS = 300;

    /** Returns the end of the sample's name. */
    String suffix() {
        return "-sample" + (questions == QUESTIONS ? "" : "-" + questions)
                + (seed == Sampler.PAPER_SEED ? "" : "-seed" + seed);
    }
}

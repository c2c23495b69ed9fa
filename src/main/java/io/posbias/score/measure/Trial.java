package io.posbias.score.measure;

import io.posbias.base.stats.Clusters;
import java.util.SplittableRandom;

/** A pilot result with a planted effect, and the test that should find it in samples of the pilot's clusters. */
public interface Trial {
    /** Clusters of the pilot's queries. */
    Clusters clusters();

    /** Least number of clusters with which the test says anything. */
    default int least() {
        return Clusters.FEW;
    }

    /** Names the test and what it must say. */
    String test();

    /**
     * Returns true if the test finds the planted effect.
     *
     * @param drawn numbers of clusters; one that is drawn twice counts as two
     * @param random for tests with draws of their own
     */
    boolean finds(int[] drawn, SplittableRandom random);
}

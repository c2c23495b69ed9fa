package io.posbias.score.measure;

import io.posbias.base.process.UsageException;
import java.util.List;

/** How deep rankings must be for what is measured of them. */
public final class Depth {
    private Depth() {}

    /** Returns the highest cutoff of measures; 0 without one. */
    public static int of(List<Measure> measures) {
        return measures.stream()
                .mapToInt(Measure::cutoff)
                .filter(cutoff -> cutoff != Measure.NO_CUTOFF)
                .max()
                .orElse(0);
    }

    /**
     * Refuses a depth below a measure's cutoff, and with the content held fixed one that does not exceed the first
     * measure's, or 0 draws.
     *
     * @param option of the depth, in errors
     * @return the settings
     */
    public static Settings checked(Settings settings, String option) {
        int k = settings.k();
        if (k < 1) {
            throw new UsageException(option + " must be at least 1, not " + k);
        }
        for (Measure measure : settings.measures()) {
            if (measure.cutoff() != Measure.NO_CUTOFF && measure.cutoff() > k) {
                throw new UsageException(
                        measure + " looks at " + measure.cutoff() + " passages, but " + option + " is " + k);
            }
        }
        if (settings.contentFixed() == null) {
            return settings;
        }
        Measure first = settings.measure();
        if (first.cutoff() != Measure.NO_CUTOFF && first.cutoff() >= k) {
            throw new UsageException("--content-fixed needs " + option + " of at least " + (first.cutoff() + 1)
                    + ": the passages below those that " + first + " looks at");
        }
        if (settings.draws() == 0) {
            throw new UsageException("--content-fixed needs --draws of at least 1");
        }
        return settings;
    }
}

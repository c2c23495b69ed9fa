package io.posbias.probe.redocred;

import java.util.Locale;

/**
 * Which of two readings of the probes is built. Where the ColDeR paper's formulas and its notebooks differ, STRICT
 * follows the formulas and COMPAT the notebooks, which gave the published numbers.
 */
public enum PaperVariant {
    /**
     * The evidence mentions head and tail; what surrounds it does not, where the formula says so; no sentence is used
     * twice. The choice for looking at new models.
     */
    STRICT,
    /** As the notebooks do it. The choice for comparing with the paper's t statistics. */
    COMPAT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.posbias.diagnose;

import io.posbias.measure.Direction;
import java.util.Locale;

/** Thirds of a passage, with the edges of {@link Direction}. */
public enum Third {
    /** Below 1/3. */
    FRONT,
    /** From 1/3 and below 2/3. */
    MIDDLE,
    /** From 2/3. */
    BACK;

    /** The third of a relative position, 0 to 1. */
    public static Third of(double position) {
        return position < 1.0 / 3 ? FRONT : position < 2.0 / 3 ? MIDDLE : BACK;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

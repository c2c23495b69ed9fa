package io.posbias.diagnose;

import java.util.Locale;

/** How it is found out what a part of a document matters. */
public enum SaliencyMethod {
    /** By leaving it out: any model. */
    OCCLUSION,
    /** By splitting the score, where it is a sum over tokens. */
    CONTRIBUTION;

    /** The word on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.posbias.encode.check;

import java.util.Locale;

/**
 * How far the answers of a model may be apart, and the words for it.
 *
 * @param what the answers, such as vectors
 * @param one what there is an answer for: a text or a pair
 * @param measure how distances are measured
 * @param same answers further apart than this are not the same
 * @param unchanged answers closer than this did not change
 */
record Scale(String what, String one, String measure, double same, double unchanged) {
    /** Of vectors: 16-bit floats round by less than {@code same}, 32-bit floats by less than {@code unchanged}. */
    static final Scale VECTORS = new Scale("vectors", "text", "1 - cosine", 1e-4, 1e-9);

    /** A distance as it is shown; infinite where an answer was no number. */
    String show(double distance) {
        if (Double.isInfinite(distance)) {
            return "no number";
        }
        return distance < unchanged ? "0" : String.format(Locale.ROOT, "%.1e", distance);
    }
}

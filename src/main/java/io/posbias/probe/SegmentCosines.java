package io.posbias.probe;

import io.posbias.PosbiasException;

/**
 * How near a text's vector is to those of its segments.
 *
 * @param passage whose text it is
 * @param words of the text
 * @param cut whether the model is known not to have seen the whole text: then the vector of the whole lacks its end
 * @param beginning cosine of the whole and its beginning, from -1 to 1
 * @param middle of the whole and its middle
 * @param end of the whole and its end
 */
public record SegmentCosines(String passage, int words, boolean cut, double beginning, double middle, double end) {
    /**
     * The cosines of a text.
     *
     * @param cut whether the model did not see the whole
     * @param whole the text's vector, of any length but 0
     * @param beginning the vector of its beginning, of as many numbers
     * @throws PosbiasException if a vector is all zeros or holds what is no number: it has no direction
     */
    public static SegmentCosines of(
            SegmentSample.Text text, boolean cut, float[] whole, float[] beginning, float[] middle, float[] end) {
        return new SegmentCosines(
                text.passage(),
                text.words(),
                cut,
                cosine(text, "beginning", whole, beginning),
                cosine(text, "middle", whole, middle),
                cosine(text, "end", whole, end));
    }

    private static double cosine(SegmentSample.Text text, String segment, float[] whole, float[] part) {
        double product = 0;
        double squares = 0;
        double others = 0;
        for (int i = 0; i < whole.length; i++) {
            product += (double) whole[i] * part[i];
            squares += (double) whole[i] * whole[i];
            others += (double) part[i] * part[i];
        }
        double cosine = product / Math.sqrt(squares * others);
        if (Double.isNaN(cosine) || Double.isInfinite(cosine)) {
            throw new PosbiasException("passage " + text.passage() + ": no cosine of the whole and its " + segment
                    + ": a vector is all zeros or holds what is no number");
        }
        return Math.clamp(cosine, -1.0, 1.0);
    }
}

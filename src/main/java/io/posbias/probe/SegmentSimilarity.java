package io.posbias.probe;

import io.posbias.stats.Interval;
import io.posbias.stats.Moments;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Mean cosines of texts and their segments: Table 4 of the SQuAD-PosQ paper (arXiv:2505.13950), with uncertainty and by
 * length.
 *
 * @param bands all lengths first, then each band that holds a text
 */
public record SegmentSimilarity(List<Band> bands) {
    /** The band that holds all texts. */
    public static final String ALL = "all";

    /** Copies the list. */
    public SegmentSimilarity {
        bands = List.copyOf(bands);
    }

    /**
     * Texts of some length.
     *
     * @param words how many words they have
     * @param n how many texts
     * @param cut of how many the model is known not to have seen the whole
     * @param beginning mean cosine of the whole and its beginning
     * @param middle of the whole and its middle
     * @param end of the whole and its end
     * @param lessMiddle beginning less middle, paired by text
     * @param lessEnd beginning less end, paired by text
     */
    public record Band(
            String words,
            int n,
            int cut,
            Mean beginning,
            Mean middle,
            Mean end,
            PairTest lessMiddle,
            PairTest lessEnd) {
        /** The three means in the order of the text. */
        public List<Mean> segments() {
            return List.of(beginning, middle, end);
        }
    }

    /**
     * A mean.
     *
     * @param value from -1 to 1
     * @param interval Student's t interval; null for fewer than two texts
     */
    public record Mean(double value, @Nullable Interval interval) {
        static Mean of(double[] values, double confidence) {
            Moments moments = Moments.of(values);
            return new Mean(
                    moments.mean(),
                    moments.n() < 2 ? null : moments.estimate(confidence).interval());
        }
    }

    /**
     * Means and tests.
     *
     * @param cosines of at least one text
     * @param confidence of all intervals, between 0 and 1
     */
    public static SegmentSimilarity of(List<SegmentCosines> cosines, LengthBands lengths, double confidence) {
        List<Band> bands = new ArrayList<>(List.of(band(ALL, cosines, confidence)));
        List<String> names = lengths.names();
        for (int i = 0; i < names.size(); i++) {
            int number = i;
            List<SegmentCosines> within = cosines.stream()
                    .filter(one -> lengths.of(one.words()) == number)
                    .toList();
            if (!within.isEmpty()) {
                bands.add(band(names.get(i), within, confidence));
            }
        }
        return new SegmentSimilarity(bands);
    }

    private static Band band(String words, List<SegmentCosines> cosines, double confidence) {
        double[] beginning = column(cosines, SegmentCosines::beginning);
        double[] middle = column(cosines, SegmentCosines::middle);
        double[] end = column(cosines, SegmentCosines::end);
        return new Band(
                words,
                cosines.size(),
                (int) cosines.stream().filter(SegmentCosines::cut).count(),
                Mean.of(beginning, confidence),
                Mean.of(middle, confidence),
                Mean.of(end, confidence),
                PairTest.of("segments", "beginning - middle", beginning, middle, confidence),
                PairTest.of("segments", "beginning - end", beginning, end, confidence));
    }

    private static double[] column(List<SegmentCosines> cosines, ToDoubleFunction<SegmentCosines> which) {
        return cosines.stream().mapToDouble(which).toArray();
    }
}

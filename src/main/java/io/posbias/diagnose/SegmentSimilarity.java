package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.PosbiasException;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.cache.VectorSource;
import io.posbias.encode.cache.Vectors;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeType;
import io.posbias.retrieve.Recipe;
import io.posbias.stats.Moments.Mean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Cosines of texts and their segments: Table 4 of the SQuAD-PosQ paper (arXiv:2505.13950) with uncertainty and by length. */
record SegmentSimilarity(List<SegmentScores> texts, SegmentTruncation cut) {
    static final List<String> SEGMENTS = List.of("beginning", "middle", "end");

    private static final int PARTS = 1 + SEGMENTS.size();

    private static final ProbeType PROBE = ProbeType.pairs("segments");

    /**
     * Cosines of the whole text with each segment.
     *
     * @param cut true if the model truncated the whole text
     */
    record SegmentScores(String passage, int words, boolean cut, List<Double> cosines) {}

    /**
     * Truncation of texts and segments.
     *
     * @param maxTokens 0 if unknown
     * @param known false for services that do not report truncation; counts are then 0
     */
    public record SegmentTruncation(int maxTokens, boolean known, int wholeTexts, int segments) {}

    /**
     * Mean cosines of texts in a band of lengths.
     *
     * @param tests beginning minus middle and beginning minus end, paired by text
     */
    public record SegmentBand(
            String words,
            int n,
            @JsonProperty("whole_texts_cut") int cut,
            Mean beginning,
            Mean middle,
            Mean end,
            List<PairTest> tests) {
        List<Mean> segments() {
            return List.of(beginning, middle, end);
        }
    }

    /**
     * Encodes whole texts and their segments as passages.
     *
     * @throws PosbiasException if a vector is zero
     */
    static SegmentSimilarity of(SegmentSample sample, VectorSource encoder, Recipe recipe, String label) {
        List<String> parts =
                sample.texts().stream().flatMap(text -> text.parts().stream()).toList();
        Vectors vectors = encoder.encode(parts, Role.PASSAGE, label);
        List<SegmentScores> texts = new ArrayList<>();
        for (SegmentSample.SampledText text : sample.texts()) {
            int whole = texts.size() * PARTS;
            List<Double> cosines = new ArrayList<>();
            for (String segment : SEGMENTS) {
                double cosine = cosine(vectors.read(whole), vectors.read(whole + 1 + cosines.size()));
                if (Double.isNaN(cosine)) {
                    throw new PosbiasException(recipe.name() + ", passage " + text.passage()
                            + ": no cosine of the whole and its " + segment
                            + ": a vector is zero or not finite");
                }
                cosines.add(cosine);
            }
            texts.add(new SegmentScores(text.passage(), text.words(), vectors.seen(whole) >= 0, cosines));
        }
        return new SegmentSimilarity(texts, cut(vectors, recipe));
    }

    /** Cosine from -1 to 1; NaN if a vector is zero or not finite. */
    static double cosine(float[] whole, float[] part) {
        double product = 0;
        double squares = 0;
        double others = 0;
        for (int i = 0; i < whole.length; i++) {
            product += (double) whole[i] * part[i];
            squares += (double) whole[i] * whole[i];
            others += (double) part[i] * part[i];
        }
        double cosine = product / Math.sqrt(squares * others);
        return Double.isInfinite(cosine) ? Double.NaN : Math.clamp(cosine, -1.0, 1.0);
    }

    private static SegmentTruncation cut(Vectors vectors, Recipe recipe) {
        int[] cut = IntStream.range(0, vectors.size())
                .filter(part -> vectors.seen(part) >= 0)
                .toArray();
        int wholes = (int) IntStream.of(cut).filter(part -> part % PARTS == 0).count();
        boolean known = IntStream.range(0, vectors.size()).allMatch(part -> vectors.seen(part) != TextEncoder.UNKNOWN);
        return new SegmentTruncation(recipe.settings().integer("max-tokens", 0), known, wholes, cut.length - wholes);
    }

    /** All lengths first, then each band with a text. */
    List<SegmentBand> bands(SegmentSample.SegmentBands lengths, double confidence) {
        List<SegmentBand> bands = new ArrayList<>(List.of(band("all", texts, confidence)));
        Map<Integer, List<SegmentScores>> byBand = texts.stream()
                .collect(Collectors.groupingBy(text -> lengths.of(text.words()), TreeMap::new, Collectors.toList()));
        byBand.forEach((number, own) -> bands.add(band(lengths.names().get(number), own, confidence)));
        return bands;
    }

    private static SegmentBand band(String words, List<SegmentScores> texts, double confidence) {
        List<double[]> columns = IntStream.range(0, SEGMENTS.size())
                .mapToObj(segment -> texts.stream()
                        .mapToDouble(text -> text.cosines().get(segment))
                        .toArray())
                .toList();
        return new SegmentBand(
                words,
                texts.size(),
                (int) texts.stream().filter(SegmentScores::cut).count(),
                Mean.of(columns.get(0), confidence),
                Mean.of(columns.get(1), confidence),
                Mean.of(columns.get(2), confidence),
                List.of(
                        PairTest.of(PROBE, "beginning - middle", columns.get(0), columns.get(1), confidence),
                        PairTest.of(PROBE, "beginning - end", columns.get(0), columns.get(2), confidence)));
    }
}

package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.stats.Moments.Mean;
import io.posbias.base.table.Meaning;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.retrieve.Recipe;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.ProbeType;
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
    record SegmentScores(
            @Meaning("identifier of the passage") String passage,

            @Meaning(value = "its length", unit = "words") int words,

            @Meaning("whether it was truncated") boolean cut,

            @Meaning(value = "cosine of the whole passage and its beginning", unit = "cosine")
            double beginning,

            @Meaning(value = "cosine of the whole passage and its middle", unit = "cosine")
            double middle,

            @Meaning(value = "cosine of the whole passage and its end", unit = "cosine")
            double end) {}

    /**
     * Truncation of texts and segments.
     *
     * @param maxTokens 0 if unknown
     * @param known false for services that do not report truncation; counts are then 0
     */
    public record SegmentTruncation(int maxTokens, boolean known, int wholeTexts, int segments) {}

    /** Mean cosines of texts in a band of lengths. */
    public record SegmentMeans(
            @Meaning("band of lengths in words") String words,
            @Meaning("texts") int n,

            @Meaning(value = "mean cosine of the whole texts and their beginning, with its interval", unit = "cosine")
            Mean beginning,

            @Meaning(value = "of the whole texts and their middle", unit = "cosine")
            Mean middle,

            @Meaning(value = "of the whole texts and their end", unit = "cosine")
            Mean end) {
        List<Mean> all() {
            return List.of(beginning, middle, end);
        }
    }

    /**
     * Texts in a band of lengths.
     *
     * @param tests beginning minus middle and beginning minus end, paired by text
     */
    public record SegmentBand(
            @JsonUnwrapped SegmentMeans means,
            @JsonProperty("whole_texts_cut") int cut,
            List<PairTest> tests) {}

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
            double[] cosines = new double[SEGMENTS.size()];
            for (int segment = 0; segment < cosines.length; segment++) {
                cosines[segment] = cosine(vectors.read(whole), vectors.read(whole + 1 + segment));
                if (Double.isNaN(cosines[segment])) {
                    throw new PosbiasException(recipe.name() + ", passage " + text.passage()
                            + ": no cosine of the whole and its " + SEGMENTS.get(segment)
                            + ": a vector is zero or not finite");
                }
            }
            texts.add(new SegmentScores(
                    text.passage(), text.words(), vectors.seen(whole) >= 0, cosines[0], cosines[1], cosines[2]));
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
        double[] beginning =
                texts.stream().mapToDouble(SegmentScores::beginning).toArray();
        double[] middle = texts.stream().mapToDouble(SegmentScores::middle).toArray();
        double[] end = texts.stream().mapToDouble(SegmentScores::end).toArray();
        return new SegmentBand(
                new SegmentMeans(
                        words,
                        texts.size(),
                        Mean.of(beginning, confidence),
                        Mean.of(middle, confidence),
                        Mean.of(end, confidence)),
                (int) texts.stream().filter(SegmentScores::cut).count(),
                List.of(
                        PairTest.of(PROBE, "beginning - middle", beginning, middle, confidence),
                        PairTest.of(PROBE, "beginning - end", beginning, end, confidence)));
    }
}

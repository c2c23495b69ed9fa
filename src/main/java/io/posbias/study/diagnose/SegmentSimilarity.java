package io.posbias.study.diagnose;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.table.Meaning;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.retrieve.Recipe;
import io.posbias.study.diagnose.SegmentSample.Segmentation;
import io.posbias.study.probe.ProbeType;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Cosines of texts and their segments. */
record SegmentSimilarity(List<TextCosines> texts, SegmentTruncation cut) {
    static final ProbeType PROBE = ProbeType.pairs("segments");

    /**
     * A text.
     *
     * @param cut true if the model truncated the whole text
     * @param cosines of the whole text with each segment
     */
    record TextCosines(
            @Meaning("identifier of the passage") String passage,
            @Meaning(value = "its length", unit = "words") int words,
            @Meaning("whether it was truncated") boolean cut,
            List<Double> cosines) {}

    /**
     * Truncation of texts and segments.
     *
     * @param maxTokens 0 if unknown
     * @param known false for services that do not report truncation; counts are then 0
     */
    public record SegmentTruncation(int maxTokens, boolean known, int wholeTexts, int segments) {}

    /**
     * Encodes whole texts and their segments as passages.
     *
     * @throws PosbiasException if a vector is zero
     */
    static SegmentSimilarity of(
            SegmentSample sample, Segmentation segments, VectorSource encoder, Recipe recipe, String label) {
        List<String> parts = sample.texts().stream()
                .flatMap(text -> segments.parts(text.text()).stream())
                .toList();
        Vectors vectors = encoder.encode(parts, Role.PASSAGE, label);
        int each = 1 + segments.names().size();
        List<TextCosines> texts = new ArrayList<>();
        for (SegmentSample.SampledText text : sample.texts()) {
            int whole = texts.size() * each;
            List<Double> cosines = new ArrayList<>();
            for (String segment : segments.names()) {
                double cosine = cosine(vectors.read(whole), vectors.read(whole + 1 + cosines.size()));
                if (Double.isNaN(cosine)) {
                    throw new PosbiasException(recipe.name() + ", passage " + text.passage()
                            + ": no cosine of the whole and its " + segment + ": a vector is zero or not finite");
                }
                cosines.add(cosine);
            }
            texts.add(new TextCosines(text.passage(), text.words(), vectors.seen(whole) >= 0, cosines));
        }
        return new SegmentSimilarity(texts, cut(vectors, each, recipe));
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

    private static SegmentTruncation cut(Vectors vectors, int each, Recipe recipe) {
        int[] cut = IntStream.range(0, vectors.size())
                .filter(part -> vectors.seen(part) >= 0)
                .toArray();
        int wholes = (int) IntStream.of(cut).filter(part -> part % each == 0).count();
        boolean known = IntStream.range(0, vectors.size()).allMatch(part -> vectors.seen(part) != TextEncoder.UNKNOWN);
        return new SegmentTruncation(recipe.settings().integer("max-tokens", 0), known, wholes, cut.length - wholes);
    }

    /** Texts of a band of lengths, in one order. */
    record Band(String words, List<TextCosines> texts) {
        int cut() {
            return (int) texts.stream().filter(TextCosines::cut).count();
        }

        /** The cosines of all texts with a segment, from 0. */
        double[] cosines(int segment) {
            return texts.stream()
                    .mapToDouble(text -> text.cosines().get(segment))
                    .toArray();
        }
    }

    /** All lengths first, then each band with a text. */
    List<Band> bands(SegmentSample.SegmentBands lengths) {
        List<Band> bands = new ArrayList<>(List.of(new Band("all", texts)));
        texts.stream()
                .collect(Collectors.groupingBy(text -> lengths.of(text.words()), TreeMap::new, Collectors.toList()))
                .forEach((number, own) -> bands.add(new Band(lengths.names().get(number), own)));
        return bands;
    }
}

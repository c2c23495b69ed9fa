package io.posbias.study.diagnose;

import io.posbias.data.dataset.Span;
import io.posbias.study.diagnose.SaliencyPairs.SaliencyPair;
import io.posbias.study.diagnose.SaliencySettings.SaliencyScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Saliency of each part of a document for one query. Parts consist of words or tokens and may overlap; a word's or token's
 * saliency is the mean over its parts.
 *
 * @param rest contribution of special tokens; null if parts do not add up to the score
 * @param units spans of words or tokens, in UTF-16 units, ascending
 * @param cut true if the model truncated the text
 * @param tokens null for methods other than DecompX
 */
public record SaliencyMap(
        SaliencyPair pair,
        double score,
        @Nullable Double rest,
        List<Span> units,
        List<SaliencyPart> parts,
        boolean cut,
        @Nullable TokenMap tokens) {
    /** Number of points of a {@linkplain #points resampled} document, as in PosIR's Figure 5. */
    public static final int POINTS = 100;

    /**
     * A range of words or tokens.
     *
     * @param saliency in the score's unit; may be negative
     */
    public record SaliencyPart(int from, int to, double saliency) {}

    /** Adjacent words or tokens that belong to the same parts; the span is in UTF-16 units. */
    public record SaliencyStretch(Span span, double saliency) {}

    /** The span of a part, in UTF-16 units. */
    public Span span(SaliencyPart part) {
        int start = units.get(part.from()).start();
        return new Span(start, Math.max(start, units.get(part.to() - 1).end()));
    }

    /** The saliency of each word or token; 0 outside all parts. */
    public double[] values() {
        double[] sums = new double[units.size()];
        int[] counts = new int[units.size()];
        for (SaliencyPart part : parts) {
            for (int unit = part.from(); unit < part.to(); unit++) {
                sums[unit] += part.saliency();
                counts[unit]++;
            }
        }
        return IntStream.range(0, sums.length)
                .mapToDouble(unit -> counts[unit] == 0 ? 0 : sums[unit] / counts[unit])
                .toArray();
    }

    /** Groups adjacent words or tokens that belong to the same parts. */
    public List<SaliencyStretch> stretches() {
        double[] values = values();
        boolean[] borders = new boolean[units.size() + 1];
        borders[0] = true;
        for (SaliencyPart part : parts) {
            borders[part.from()] = true;
            borders[part.to()] = true;
        }
        List<SaliencyStretch> stretches = new ArrayList<>();
        int from = 0;
        for (int unit = 1; unit <= units.size(); unit++) {
            if (unit == units.size() || borders[unit]) {
                stretches.add(new SaliencyStretch(span(new SaliencyPart(from, unit, 0)), values[from]));
                from = unit;
            }
        }
        return stretches;
    }

    /**
     * The divisor that scales saliency to -1..1: a percentile of absolute values, linearly interpolated as in numpy. The 99th
     * percentile limits the influence of one extreme token.
     *
     * @return 1 without a scale; 0 if all saliency is 0
     */
    public double scale(SaliencyScale scale) {
        if (scale == SaliencyScale.NONE) {
            return 1;
        }
        double[] sizes = Arrays.stream(values()).map(Math::abs).sorted().toArray();
        if (sizes.length == 0) {
            return 0;
        }
        return between(sizes, scale.place() * (sizes.length - 1));
    }

    private static double between(double[] values, double place) {
        int below = (int) place;
        int above = Math.min(below + 1, values.length - 1);
        return values[below] + (place - below) * (values[above] - values[below]);
    }

    /** Saliency divided by the scale, clipped to -1..1. */
    public static double scaled(double saliency, double scale) {
        return scale == 0 ? 0 : Math.clamp(saliency / scale, -1.0, 1.0);
    }

    /** The document at {@value #POINTS} points, linearly interpolated between words or tokens, as in PosIR's Figure 5. */
    public double[] points(SaliencyScale by) {
        double scale = scale(by);
        double[] values = Arrays.stream(values())
                .map(value -> by == SaliencyScale.NONE ? value : scaled(value, scale))
                .toArray();
        // In whole numbers up to the division, so that the last point is the last unit.
        return IntStream.range(0, POINTS)
                .mapToDouble(i -> between(values, (double) i * (values.length - 1) / (POINTS - 1)))
                .toArray();
    }

    /**
     * Shares of positive saliency by third of the document; word i of n covers i/n to (i+1)/n and counts proportionally in two
     * thirds.
     *
     * @return three shares that sum to 1; empty if no saliency is positive
     */
    public Optional<double[]> thirds() {
        double[] masses =
                Arrays.stream(values()).map(value -> Math.max(0, value)).toArray();
        double sum = 0;
        double[] thirds = new double[3];
        for (int unit = 0; unit < masses.length; unit++) {
            sum += masses[unit];
            for (int third = 0; third < 3; third++) {
                // In units of 1/(3n): the unit from 3i to 3i + 3, the third from n k to n (k + 1).
                int from = Math.max(3 * unit, masses.length * third);
                int to = Math.min(3 * unit + 3, masses.length * (third + 1));
                thirds[third] += masses[unit] * Math.max(0, to - from) / 3;
            }
        }
        double all = sum;
        return sum > 0
                ? Optional.of(Arrays.stream(thirds).map(mass -> mass / all).toArray())
                : Optional.empty();
    }

    static boolean holdsAny(@Nullable Span unit, @Nullable Span evidence) {
        return unit != null && evidence != null && unit.start() < evidence.end() && evidence.start() < unit.end();
    }

    /** The evidence's share of positive saliency and of the length. */
    public record EvidencePart(double saliency, double length) {}

    /**
     * The share of positive saliency in the evidence; empty if the evidence is unknown or truncated, or no saliency is
     * positive.
     */
    public Optional<EvidencePart> evidenceShare() {
        Span place = pair.evidence();
        if (place == null) {
            return Optional.empty();
        }
        double[] values = values();
        double inside = 0;
        double sum = 0;
        int held = 0;
        for (int unit = 0; unit < values.length; unit++) {
            double mass = Math.max(0, values[unit]);
            boolean holds = holdsAny(units.get(unit), place);
            sum += mass;
            inside += holds ? mass : 0;
            held += holds ? 1 : 0;
        }
        return sum > 0 && held > 0
                ? Optional.of(new EvidencePart(inside / sum, (double) held / values.length))
                : Optional.empty();
    }
}

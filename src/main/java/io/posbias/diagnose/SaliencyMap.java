package io.posbias.diagnose;

import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What each part of a document matters to the score of one query. Parts are made of units, words or tokens, and may
 * overlap; a unit's saliency is the mean of the parts that hold it.
 *
 * @param score of query and document
 * @param rest what belongs to no part of the text, such as special tokens; null where parts do not add up to the score
 * @param units where each word or token is in the text, in UTF-16 units, in order
 * @param parts with the saliency of each
 * @param cut whether units end before the text does, where a model stopped reading
 * @param tokens the score by pairs of tokens; null with other methods than DecompX
 */
public record SaliencyMap(
        SaliencyPair pair,
        double score,
        @Nullable Double rest,
        List<Span> units,
        List<SaliencyPart> parts,
        boolean cut,
        @Nullable TokenMap tokens) {
    /** Points of a {@linkplain #points resampled} document, as many as in PosIR's Figure 5. */
    public static final int POINTS = 100;

    /**
     * A part.
     *
     * @param from its first unit
     * @param to the unit after its last
     * @param saliency what the score owes to it, in the score's own unit; may be negative
     */
    public record SaliencyPart(int from, int to, double saliency) {}

    /**
     * A stretch of text whose units are in the same parts.
     *
     * @param span where it is, in UTF-16 units
     * @param saliency of each of its units
     */
    public record SaliencyStretch(Span span, double saliency) {}

    /** Where a part is in the text, in UTF-16 units. */
    public Span span(SaliencyPart part) {
        int start = units.get(part.from()).start();
        return new Span(start, Math.max(start, units.get(part.to() - 1).end()));
    }

    /** The saliency of each unit; 0 for one that no part holds. */
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

    /** The text's units, those in the same parts together. */
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
     * The divisor by which saliency is 1 or -1 at most: a percentile of its units' absolute values, between two values
     * linearly, as numpy does it. With the 99th one extreme unit does not flatten all others.
     *
     * @return 1 without a scale; 0 where it has no saliency to go by
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

    /** Between two values, linearly. */
    private static double between(double[] values, double place) {
        int below = (int) place;
        int above = Math.min(below + 1, values.length - 1);
        return values[below] + (place - below) * (values[above] - values[below]);
    }

    /** A saliency on a scale, cut to -1 and 1; 0 on a scale of 0. */
    public static double scaled(double saliency, double scale) {
        return scale == 0 ? 0 : Math.clamp(saliency / scale, -1.0, 1.0);
    }

    /**
     * The document at {@value #POINTS} points: its first unit is at 0, its last at 1, points at i / 99, and between
     * two units saliency changes linearly, as in PosIR's Figure 5.
     *
     * @param by what the document's saliency is {@linkplain #scale divided by}
     */
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
     * How the saliency above 0 is shared by the thirds of the document; unit i of n is from i/n to (i+1)/n, and one
     * across a border counts for both by its parts.
     *
     * @return three shares that sum to 1; empty where no unit is above 0
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

    /** True if a unit holds any of the evidence. */
    static boolean holdsAny(@Nullable Span unit, @Nullable Span evidence) {
        return unit != null && evidence != null && unit.start() < evidence.end() && evidence.start() < unit.end();
    }

    /**
     * The evidence's share.
     *
     * @param saliency of the saliency above 0
     * @param length of the units
     */
    public record EvidencePart(double saliency, double length) {}

    /**
     * What of the saliency above 0 lies in the evidence; empty where it is not known or none of it was read, or no unit is
     * above 0.
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

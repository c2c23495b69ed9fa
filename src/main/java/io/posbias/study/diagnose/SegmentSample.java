package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.data.convert.Sampler;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetStatistics;
import io.posbias.data.dataset.Passages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Passages for the comparison of segments, drawn like those of the SQuAD-PosQ paper (arXiv:2505.13950, appendix A.4): distinct
 * texts within limits of length, sorted by code points, shuffled like Python, then the first n.
 *
 * @param fit number of distinct texts within the limits
 */
public record SegmentSample(List<SampledText> texts, int fit, int passages) {
    /** The paper's limit for SQuAD; 200 for FineWeb-edu. */
    public static final int MIN_WORDS = 100;

    /** The paper's limit for SQuAD; 500 for FineWeb-edu. */
    public static final int MAX_WORDS = 512;

    /** The paper's sample size. */
    public static final int N = 10_000;

    /** The paper's seed of this draw. */
    public static final int SEED = 1;

    /**
     * How texts are cut into segments.
     *
     * @param names of the segments, in order
     * @param borders between them, ascending, by the length of the text, all in code points
     */
    record Segmentation(List<String> names, IntFunction<IntStream> borders) {
        /** Beginning, middle and end, cut at 0.333 and 0.666 of the length, rounded down, as in the SQuAD-PosQ paper. */
        static final Segmentation THIRDS = new Segmentation(
                List.of("beginning", "middle", "end"),
                length -> DoubleStream.of(0.333, 0.666).mapToInt(share -> (int) (share * length)));

        /** Equal segments: the i-th border of n segments is at i / n of the length, rounded down. */
        static Segmentation equal(int segments) {
            return new Segmentation(
                    IntStream.rangeClosed(1, segments)
                            .mapToObj(number -> "segment " + number)
                            .toList(),
                    length -> IntStream.range(1, segments).map(i -> (int) ((long) i * length / segments)));
        }

        /** The text, then its segments. */
        List<String> parts(String text) {
            List<String> parts = new ArrayList<>(List.of(text));
            int length = CodePoints.count(text);
            int start = 0;
            for (int border : IntStream.concat(borders.apply(length), IntStream.of(length))
                    .toArray()) {
                int end = text.offsetByCodePoints(0, border);
                parts.add(text.substring(start, end));
                start = end;
            }
            return parts;
        }
    }

    /**
     * A text without its title.
     *
     * @param words number of spaces plus one
     */
    public record SampledText(String passage, String text, int words) {}

    /**
     * Passages that are drawn from.
     *
     * @param wordsAbove exclusive
     * @param wordsBelow exclusive
     * @param minTokens as counted by the benchmark; null for no limit
     * @param seed of the draw
     */
    public record SegmentLimits(
            int wordsAbove,
            int wordsBelow,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Integer minTokens,

            int seed) {
        public String words() {
            return "more than " + wordsAbove + " and fewer than " + wordsBelow;
        }

        /** The token limit in words; empty without one. */
        public String tokens() {
            return minTokens == null ? "" : " and at least " + minTokens + " tokens";
        }
    }

    /**
     * Draws passages.
     *
     * @param fits by ordinal
     */
    public static SegmentSample draw(Passages passages, SegmentLimits limits, IntPredicate fits, int n) {
        Map<String, SampledText> fit = new HashMap<>();
        passages.inFileOrder((ordinal, passage) -> {
            int words = DatasetStatistics.words(passage.text());
            if (words > limits.wordsAbove() && words < limits.wordsBelow() && fits.test(ordinal)) {
                fit.putIfAbsent(passage.text(), new SampledText(passage.id(), passage.text(), words));
            }
        });
        List<SampledText> texts = new ArrayList<>(fit.values());
        texts.sort(Comparator.comparing(SampledText::text, CodePoints.ORDER));
        return new SegmentSample(Sampler.draw(texts, n, limits.seed()), texts.size(), passages.size());
    }

    /**
     * Bands of text length in words, right-closed.
     *
     * @param edges upper edges of all bands but the last, ascending
     */
    public record SegmentBands(int least, int most, List<Integer> edges) {
        private static final int QUARTERS = 4;

        /** Checks that the edges ascend and lie inside. */
        public SegmentBands {
            int before = least - 1;
            for (int edge : edges) {
                if (edge <= before || edge >= most) {
                    throw new IllegalArgumentException(
                            "edges must ascend, from " + least + " to " + (most - 1) + ": " + edges);
                }
                before = edge;
            }
        }

        /** Ranges of words, as 101-120. */
        public List<String> names() {
            return IntStream.rangeClosed(0, edges.size())
                    .mapToObj(i ->
                            (i == 0 ? least : edges.get(i - 1) + 1) + "-" + (i < edges.size() ? edges.get(i) : most))
                    .toList();
        }

        public int of(int words) {
            return (int) edges.stream().filter(edge -> edge < words).count();
        }
    }

    /** Up to four bands with nearly equal numbers of texts; fewer if many lengths are equal. */
    public SegmentBands quartiles() {
        int[] words = texts.stream().mapToInt(SampledText::words).sorted().toArray();
        int most = words[words.length - 1];
        List<Integer> edges = IntStream.range(1, SegmentBands.QUARTERS)
                .map(quarter -> words[Math.ceilDiv(words.length * quarter, SegmentBands.QUARTERS) - 1])
                .filter(edge -> edge < most)
                .distinct()
                .boxed()
                .toList();
        return new SegmentBands(words[0], most, edges);
    }
}

package io.posbias.diagnose;

import io.posbias.dataset.CodePoints;
import io.posbias.dataset.DatasetStatistics;
import io.posbias.dataset.Passages;
import io.posbias.dataset.convert.PythonShuffle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Passages whose segments are compared with the whole, drawn as the SQuAD-PosQ paper does (arXiv:2505.13950, appendix A.4):
 * different texts of some length, sorted by code points, shuffled as Python does, the first of them.
 *
 * @param texts drawn, in the order of the shuffle
 * @param fit how many different texts were long and short enough
 * @param passages of the corpus
 */
public record SegmentSample(List<SampledText> texts, int fit, int passages) {
    /** The paper's limits for SQuAD; for FineWeb-edu it took 200 and 500. */
    public static final int MIN_WORDS = 100;

    /** See {@link #MIN_WORDS}. */
    public static final int MAX_WORDS = 512;

    /** How many the paper drew. */
    public static final int N = 10_000;

    /** The paper's seed for this draw. */
    public static final int SEED = 1;

    private static final double FIRST_EDGE = 0.333;
    private static final double SECOND_EDGE = 0.666;

    /**
     * A text.
     *
     * @param passage its identifier; of passages with the same text, the first in the file
     * @param text without title
     * @param words one more than it has spaces
     */
    public record SampledText(String passage, String text, int words) {
        /** The whole, its beginning, its middle and its end; edges are at 0.333 and 0.666 of its code points, rounded down. */
        public List<String> parts() {
            int length = CodePoints.count(text);
            int first = text.offsetByCodePoints(0, (int) (FIRST_EDGE * length));
            int second = text.offsetByCodePoints(0, (int) (SECOND_EDGE * length));
            return List.of(text, text.substring(0, first), text.substring(first, second), text.substring(second));
        }
    }

    /**
     * Draws.
     *
     * @param above texts have more words than this
     * @param below and fewer than this
     * @param fits which passages may be drawn, by ordinal
     * @param n how many to draw; all where fewer fit
     * @param seed of the shuffle, 0 or more
     */
    public static SegmentSample draw(Passages passages, int above, int below, IntPredicate fits, int n, int seed) {
        Map<String, SampledText> fit = new HashMap<>();
        passages.forEach((ordinal, passage) -> {
            int words = DatasetStatistics.words(passage.text());
            if (words > above && words < below && fits.test(ordinal)) {
                fit.putIfAbsent(passage.text(), new SampledText(passage.id(), passage.text(), words));
            }
        });
        List<SampledText> texts = new ArrayList<>(fit.values());
        texts.sort(Comparator.comparing(SampledText::text, CodePoints.ORDER));
        new PythonShuffle(seed).shuffle(texts);
        return new SegmentSample(
                List.copyOf(texts.subList(0, Math.min(n, texts.size()))), texts.size(), passages.size());
    }

    /**
     * Bands of the length of texts in words, right-closed.
     *
     * @param least words that a text has at least
     * @param most words that a text has at most
     * @param edges upper edges of all bands but the last, ascending, from {@code least} to below {@code most}
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

        /** What the bands are called, such as 101-120. */
        public List<String> names() {
            return IntStream.rangeClosed(0, edges.size())
                    .mapToObj(i ->
                            (i == 0 ? least : edges.get(i - 1) + 1) + "-" + (i < edges.size() ? edges.get(i) : most))
                    .toList();
        }

        /** The band of a number of words, as an index into {@link #names()}. */
        public int of(int words) {
            return (int) edges.stream().filter(edge -> edge < words).count();
        }
    }

    /**
     * Four bands that hold a quarter of the texts each, as nearly as texts of the same length allow; fewer where many have
     * the same. There must be a text.
     */
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

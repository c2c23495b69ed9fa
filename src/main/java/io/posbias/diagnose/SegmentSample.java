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

/**
 * Passages whose segments are compared with the whole, drawn as the SQuAD-PosQ paper does (arXiv:2505.13950, appendix A.4):
 * different texts of some length, sorted by code points, shuffled as Python does, the first of them.
 *
 * @param texts drawn, in the order of the shuffle
 * @param fit how many different texts were long and short enough
 * @param passages of the corpus
 */
public record SegmentSample(List<Text> texts, int fit, int passages) {
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

    /** Copies the list. */
    public SegmentSample {
        texts = List.copyOf(texts);
    }

    /**
     * A text.
     *
     * @param passage its identifier; of passages with the same text, the first in the file
     * @param text without title
     * @param words one more than it has spaces
     */
    public record Text(String passage, String text, int words) {
        /** The whole, its beginning, its middle and its end; edges are at 0.333 and 0.666 of its code points, rounded down. */
        public List<String> parts() {
            int length = CodePoints.count(text);
            int first = text.offsetByCodePoints(0, (int) (FIRST_EDGE * length));
            int second = text.offsetByCodePoints(0, (int) (SECOND_EDGE * length));
            return List.of(text, text.substring(0, first), text.substring(first, second), text.substring(second));
        }
    }

    /** How many words each text has. */
    public int[] words() {
        return texts.stream().mapToInt(Text::words).toArray();
    }

    /**
     * Draws.
     *
     * @param above texts have more words than this
     * @param below and fewer than this
     * @param n how many to draw; all where fewer fit
     * @param seed of the shuffle, 0 or more
     */
    public static SegmentSample draw(Passages passages, int above, int below, int n, int seed) {
        Map<String, String> ids = new HashMap<>();
        passages.forEach((ordinal, passage) -> {
            int words = DatasetStatistics.words(passage.text());
            if (words > above && words < below) {
                ids.putIfAbsent(passage.text(), passage.id());
            }
        });
        List<Text> texts = new ArrayList<>();
        ids.forEach((text, id) -> texts.add(new Text(id, text, DatasetStatistics.words(text))));
        texts.sort(Comparator.comparing(Text::text, CodePoints.ORDER));
        new PythonShuffle(seed).shuffle(texts);
        return new SegmentSample(texts.subList(0, Math.min(n, texts.size())), texts.size(), passages.size());
    }
}

package io.posbias.diagnose;

import io.posbias.dataset.Span;
import io.posbias.dataset.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * Occlusion saliency of windows of words: the drop of the score without the window (Zeiler and Fergus 2014, arXiv:1311.2901;
 * for text Li, Monroe and Jurafsky 2016, arXiv:1612.08220). A window begins every {@code stride} words; the last one ends with
 * the text, so that all have equal length.
 */
public final class Occlusion {
    private final String text;
    private final List<Span> words;
    private final int window;
    private final int[] starts;

    /**
     * @param window fewer words than the text has
     * @param stride from 1 to {@code window}
     */
    public Occlusion(String text, List<Span> words, int window, int stride) {
        if (window < 1 || stride < 1 || stride > window || window >= words.size()) {
            throw new IllegalArgumentException(
                    "windows of " + window + " words, every " + stride + ", of " + words.size() + " words");
        }
        this.text = text;
        this.words = List.copyOf(words);
        this.window = window;
        int last = words.size() - window;
        this.starts = new int[Math.ceilDiv(last, stride) + 1];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = Math.min(i * stride, last);
        }
    }

    /** Number of windows, at least two. */
    public int windows() {
        return starts.length;
    }

    /** The text, then the text without each window. */
    public List<String> texts() {
        List<String> texts = new ArrayList<>(List.of(text));
        for (int start : starts) {
            int from = words.get(start).start();
            int to = words.get(start + window - 1).end();
            // White space at the end of a text says nothing, and would be there for the last window alone.
            texts.add(
                    to == text.length()
                            ? text.substring(0, from).stripTrailing()
                            : text.substring(0, from) + text.substring(to));
        }
        return List.copyOf(texts);
    }

    /** The saliency of each window, from the scores of {@link #texts()}. */
    public SaliencyMap map(SaliencyPair pair, double[] scores) {
        List<SaliencyMap.SaliencyPart> parts = new ArrayList<>();
        for (int i = 0; i < starts.length; i++) {
            parts.add(new SaliencyMap.SaliencyPart(starts[i], starts[i] + window, scores[0] - scores[i + 1]));
        }
        return new SaliencyMap(pair, scores[0], null, words, parts, false, null);
    }
}

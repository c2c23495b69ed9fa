package io.posbias.diagnose;

import io.posbias.dataset.Sentences;
import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A text with its segments in reverse order. Segments are runs of whole sentences of nearly equal number; the white space
 * between them stays, so that the text keeps its length.
 *
 * @param segments in the original text; empty for a blank text
 * @param starts new start of each segment
 */
public record SegmentReversal(String text, List<Span> segments, List<Integer> starts) {
    /**
     * Reverses a text.
     *
     * @param segments at least 2; texts with fewer sentences have one segment per sentence
     */
    public static SegmentReversal of(String text, int segments, Locale locale) {
        List<Span> sentences = Sentences.spans(text, locale);
        int count = Math.min(segments, sentences.size());
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Span first = sentences.get((int) ((long) i * sentences.size() / count));
            Span last = sentences.get((int) ((i + 1L) * sentences.size() / count) - 1);
            spans.add(new Span(first.start(), last.end()));
        }
        return of(text, spans);
    }

    private static SegmentReversal of(String original, List<Span> segments) {
        StringBuilder reversed = new StringBuilder(original.length());
        List<Integer> starts = new ArrayList<>();
        int gapStart = 0;
        for (int place = 0; place < segments.size(); place++) {
            reversed.append(original, gapStart, segments.get(place).start());
            starts.addFirst(reversed.length());
            reversed.append(segments.get(segments.size() - 1 - place).of(original));
            gapStart = segments.get(place).end();
        }
        reversed.append(original, gapStart, original.length());
        return new SegmentReversal(reversed.toString(), segments, starts);
    }

    /**
     * Maps a span of the original text, in UTF-16 units.
     *
     * @return null if the span is not inside one segment
     */
    public @Nullable Span move(Span part) {
        for (int i = 0; i < segments.size(); i++) {
            Span segment = segments.get(i);
            if (segment.start() <= part.start() && part.end() <= segment.end()) {
                int shift = starts.get(i) - segment.start();
                return new Span(part.start() + shift, part.end() + shift);
            }
        }
        return null;
    }
}

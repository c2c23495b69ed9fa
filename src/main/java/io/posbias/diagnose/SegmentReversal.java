package io.posbias.diagnose;

import io.posbias.dataset.Sentences;
import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A text whose segments were put in reverse order. Segments are runs of whole sentences, as even in number as can be; the
 * white space between them stays where it is, so the text keeps its length and its layout.
 *
 * @param text in its new order; as long as the original
 * @param segments in the original text, in its order; none for a blank text
 * @param starts where each of them begins now
 */
public record SegmentReversal(String text, List<Span> segments, List<Integer> starts) {
    /**
     * Reverses a text.
     *
     * @param segments how many, at least 2; a text of fewer sentences has as many segments as sentences
     * @param locale whose rules say where sentences end
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
     * Where a part of the original text lies now.
     *
     * @param part in UTF-16 units of the original text
     * @return in those of {@link #text()}; null for a part that is not inside one segment
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

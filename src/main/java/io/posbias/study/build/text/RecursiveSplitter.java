package io.posbias.study.build.text;

import io.posbias.data.dataset.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * LangChain's {@code RecursiveCharacterTextSplitter} with offsets (separators stay with the following text, white
 * space around chunks is stripped). A text is split at the first separator it contains; short pieces are merged up
 * to the size; longer pieces are split at the next separators. The length of merged pieces is that of the joined
 * text, where LangChain adds the pieces' lengths: equal for characters, and correct for words and tokens.
 *
 * @param size maximum length, where the separators allow it
 * @param overlap maximum overlap of neighbours
 * @param separators in the order of trial; the empty one splits between characters
 */
public record RecursiveSplitter(int size, int overlap, List<String> separators, ToIntFunction<String> length) {
    /** Returns the chunks without surrounding white space, in UTF-16 units. */
    public List<Span> split(String text) {
        List<Span> chunks = new ArrayList<>();
        split(text, new Span(0, text.length()), separators, chunks);
        return chunks;
    }

    private void split(String text, Span part, List<String> tried, List<Span> chunks) {
        String whole = part.of(text);
        int first = 0;
        while (first + 1 < tried.size() && !whole.contains(tried.get(first))) {
            first++;
        }
        List<String> others = tried.subList(first + 1, tried.size());
        List<Span> good = new ArrayList<>();
        for (Span piece : pieces(text, part, tried.get(first))) {
            if (length.applyAsInt(piece.of(text)) < size) {
                good.add(piece);
                continue;
            }
            merge(text, good, chunks);
            good.clear();
            if (others.isEmpty()) {
                add(text, piece, chunks);
            } else {
                split(text, piece, others, chunks);
            }
        }
        merge(text, good, chunks);
    }

    private static List<Span> pieces(String text, Span part, String separator) {
        List<Span> pieces = new ArrayList<>();
        int start = part.start();
        int at = start;
        while (start < part.end()) {
            int next = separator.isEmpty() ? text.offsetByCodePoints(start, 1) : text.indexOf(separator, at);
            boolean last = next < 0 || next >= part.end() || next + separator.length() > part.end();
            int end = last ? part.end() : next;
            if (end > start) {
                pieces.add(new Span(start, end));
            }
            start = end;
            at = end + separator.length();
        }
        return pieces;
    }

    private void merge(String text, List<Span> pieces, List<Span> chunks) {
        int from = 0;
        for (int i = 0; i < pieces.size(); i++) {
            if (i > from && length(text, pieces, from, i + 1) > size) {
                add(text, joined(pieces, from, i), chunks);
                while (from < i
                        && (length(text, pieces, from, i) > overlap || length(text, pieces, from, i + 1) > size)) {
                    from++;
                }
            }
        }
        if (from < pieces.size()) {
            add(text, joined(pieces, from, pieces.size()), chunks);
        }
    }

    private int length(String text, List<Span> pieces, int from, int to) {
        return length.applyAsInt(joined(pieces, from, to).of(text));
    }

    private static Span joined(List<Span> pieces, int from, int to) {
        return new Span(pieces.get(from).start(), pieces.get(to - 1).end());
    }

    private static void add(String text, Span chunk, List<Span> chunks) {
        String found = chunk.of(text);
        int start = chunk.start() + found.length() - found.stripLeading().length();
        int end = start + found.strip().length();
        if (end > start) {
            chunks.add(new Span(start, end));
        }
    }
}

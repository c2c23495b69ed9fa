package io.posbias.model.strategy;

import io.posbias.data.dataset.Span;
import io.posbias.model.encode.model.DenseEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Division of texts for late chunking: a text that fits is one stretch; longer ones are divided into overlapping
 * stretches.
 *
 * @param room tokens of a stretch, without special tokens and prompt
 * @param overlap tokens shared with the next stretch; at least a window, and below {@code room}
 */
record Stretches(int room, int overlap, TextWindows windows) {
    /**
     * Texts in stretches.
     *
     * @param texts of the stretches
     * @param parts windows in each stretch
     * @param places of these windows
     * @param counts of windows, by the index of a given text
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record StretchCut(
            List<String> texts,
            List<List<DenseEncoder.TokenRange>> parts,
            List<List<StretchPlace>> places,
            int[] counts) {
        /** Returns the indices of texts of one window, which are encoded as they are. */
        List<Integer> others() {
            return IntStream.range(0, counts.length)
                    .filter(text -> counts[text] == 1)
                    .boxed()
                    .toList();
        }
    }

    /**
     * Window of a text.
     *
     * @param text index among the given texts
     * @param number index among the text's windows
     */
    record StretchPlace(int text, int number) {}

    StretchCut cut(List<String> given) {
        StretchCut cut = new StretchCut(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new int[given.size()]);
        for (int text = 0; text < cut.counts.length; text++) {
            List<Span> tokens = windows.tokens().apply(given.get(text));
            List<Span> own = windows.cut(given.get(text), tokens);
            cut.counts[text] = own.size();
            if (own.size() > 1) {
                add(given.get(text), text, tokens, own, cut);
            }
        }
        return cut;
    }

    private void add(String content, int text, List<Span> tokens, List<Span> own, StretchCut cut) {
        Map<Span, List<Integer>> byStretch = new LinkedHashMap<>();
        for (int number = 0; number < own.size(); number++) {
            byStretch
                    .computeIfAbsent(of(content, tokens, own.get(number)), first -> new ArrayList<>())
                    .add(number);
        }
        byStretch.forEach((stretch, numbers) -> {
            cut.texts.add(stretch.of(content));
            cut.parts.add(numbers.stream()
                    .map(own::get)
                    .map(window -> new DenseEncoder.TokenRange(
                            window.start() - stretch.start(), window.end() - stretch.start()))
                    .toList());
            cut.places.add(numbers.stream()
                    .map(number -> new StretchPlace(text, number))
                    .toList());
        });
    }

    /** Returns the first stretch of a text that contains a window, in UTF-16 units. */
    Span of(String content, List<Span> all, Span window) {
        if (all.size() <= room) {
            return new Span(0, content.length());
        }
        int to =
                (int) all.stream().filter(token -> token.start() < window.end()).count();
        int step = room - overlap;
        int number = to <= room ? 0 : Math.ceilDiv(to - room, step);
        int first = number * step;
        int end = first + room;
        return new Span(
                first == 0 ? 0 : all.get(first).start(),
                end >= all.size() ? content.length() : all.get(end).start());
    }
}

package io.posbias.retrieve.strategy;

import io.posbias.dataset.Span;
import io.posbias.encode.model.DenseEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a model reads for windows that see the text around them: each text once if it fits, else in stretches that overlap.
 *
 * @param room tokens of a stretch, without special ones and the prompt
 * @param overlap tokens that a stretch shares with the next one; at least those of a window, and below {@code room}
 * @param tokens cuts a text into the model's tokens
 */
record Stretches(int room, int overlap, Function<String, List<Span>> tokens) {
    /**
     * Texts in stretches.
     *
     * @param texts that are read
     * @param parts the windows in each of them
     * @param owners which of the given texts these windows are
     * @param others those of the given texts that are no {@link ContextWindow}
     */
    record Cut(
            List<String> texts,
            List<List<DenseEncoder.Part>> parts,
            List<List<Integer>> owners,
            List<Integer> others) {}

    /** What is read for some texts: their contexts one after another, each once. */
    Cut cut(List<String> given) {
        Cut cut = new Cut(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Map<String, Map<Integer, Span>> windows = new LinkedHashMap<>();
        for (int i = 0; i < given.size(); i++) {
            ContextWindow window = ContextWindow.parse(given.get(i));
            if (window == null) {
                cut.others.add(i);
            } else {
                windows.computeIfAbsent(window.content(), content -> new LinkedHashMap<>())
                        .put(i, window.window());
            }
        }
        windows.forEach((content, own) -> add(content, own, cut));
        return cut;
    }

    private void add(String content, Map<Integer, Span> windows, Cut cut) {
        List<Span> all = tokens.apply(content);
        Map<Span, List<Integer>> byStretch = new LinkedHashMap<>();
        windows.forEach((place, window) -> byStretch
                .computeIfAbsent(of(content, all, window), first -> new ArrayList<>())
                .add(place));
        byStretch.forEach((stretch, own) -> {
            cut.texts.add(stretch.of(content));
            cut.parts.add(own.stream()
                    .map(windows::get)
                    .map(window ->
                            new DenseEncoder.Part(window.start() - stretch.start(), window.end() - stretch.start()))
                    .toList());
            cut.owners.add(own);
        });
    }

    /** The first stretch of a text that holds a window whole, in UTF-16 units: the whole text if it fits. */
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

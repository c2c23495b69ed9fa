package io.posbias.retrieve.strategy;

import io.posbias.Checksums;
import io.posbias.dataset.Span;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.model.DenseEncoder;
import io.posbias.retrieve.SearchReport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Vectors of windows, each the mean over its tokens as the model saw them in the whole text (Günther et al. 2024,
 * arXiv:2409.04701). A text longer than the model reads is read in overlapping stretches, and a window is taken from the first
 * stretch that holds it whole, which is the paper's long late chunking. Texts that are no {@link ContextWindow} have the
 * vectors that the model gives them without this.
 */
final class LateChunkEncoder implements TextEncoder {
    private final DenseEncoder model;
    private final CachedEncoder plain;
    private final int room;
    private final int overlap;
    private final Function<String, List<Span>> tokens;
    private final AtomicLong encoded = new AtomicLong();

    /**
     * @param model closed by {@code plain}
     * @param plain keeps the model's own vectors
     * @param room tokens of a stretch, without special ones and the prompt
     * @param overlap tokens that a stretch shares with the next one; at least those of a window, and below {@code room}
     * @param tokens cuts a text into the model's tokens
     */
    LateChunkEncoder(
            DenseEncoder model, CachedEncoder plain, int room, int overlap, Function<String, List<Span>> tokens) {
        this.model = model;
        this.plain = plain;
        this.room = room;
        this.overlap = overlap;
        this.tokens = tokens;
    }

    @Override
    public int dimension() {
        return model.dimension();
    }

    @Override
    public String space() {
        String all = model.space() + "\nlate-chunked " + room + " " + overlap;
        return Checksums.sha256(all.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Map<String, Number> effort() {
        Map<String, Number> own = Map.of(CachedEncoder.ENCODED, encoded.get());
        return SearchReport.together(own, plain.effort());
    }

    @Override
    public Work prepare(List<String> texts, Role role) {
        Map<String, List<Integer>> windows = new LinkedHashMap<>();
        List<Integer> others = new ArrayList<>();
        List<ContextWindow> parsed = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            ContextWindow window = ContextWindow.parse(texts.get(i));
            parsed.add(window == null ? new ContextWindow(texts.get(i), new Span(0, 0)) : window);
            (window == null ? others : windows.computeIfAbsent(window.content(), content -> new ArrayList<>())).add(i);
        }
        return sink -> {
            encodePlain(texts, others, role, sink);
            encodeWindows(windows, parsed, sink);
        };
    }

    private void encodePlain(List<String> texts, List<Integer> places, Role role, Sink sink) {
        if (places.isEmpty()) {
            return;
        }
        Vectors vectors = plain.encode(places.stream().map(texts::get).toList(), role, "encode texts of one window");
        for (int i = 0; i < places.size(); i++) {
            sink.accept(List.of(new Encoded(places.get(i), vectors.read(i), 1, vectors.seen(i))));
        }
    }

    private void encodeWindows(Map<String, List<Integer>> windows, List<ContextWindow> parsed, Sink sink) {
        List<String> stretches = new ArrayList<>();
        List<List<DenseEncoder.Part>> parts = new ArrayList<>();
        List<List<Integer>> owners = new ArrayList<>();
        windows.forEach((content, places) -> {
            List<Span> all = tokens.apply(content);
            Map<Span, List<Integer>> byStretch = new LinkedHashMap<>();
            for (int place : places) {
                Span stretch = stretch(content, all, parsed.get(place).window());
                byStretch.computeIfAbsent(stretch, first -> new ArrayList<>()).add(place);
            }
            byStretch.forEach((stretch, own) -> {
                stretches.add(stretch.of(content));
                parts.add(own.stream()
                        .map(place -> within(stretch, parsed.get(place).window()))
                        .toList());
                owners.add(own);
            });
        });
        if (!stretches.isEmpty()) {
            encoded.addAndGet(stretches.size());
            model.prepareParts(stretches, parts).run(batch -> batch.forEach(one -> hand(one, owners, sink)));
        }
    }

    private static DenseEncoder.Part within(Span stretch, Span window) {
        return new DenseEncoder.Part(window.start() - stretch.start(), window.end() - stretch.start());
    }

    private void hand(Encoded stretch, List<List<Integer>> owners, Sink sink) {
        int size = dimension();
        List<Integer> places = owners.get(stretch.text());
        List<Encoded> windows = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            float[] vector = Arrays.copyOfRange(stretch.vectors(), i * size, (i + 1) * size);
            windows.add(new Encoded(places.get(i), vector, 1, WHOLE));
        }
        sink.accept(windows);
    }

    /** The first stretch of a text that holds a window whole, in UTF-16 units: the whole text if it fits. */
    Span stretch(String content, List<Span> all, Span window) {
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

    @Override
    public void close() {
        plain.close();
    }
}

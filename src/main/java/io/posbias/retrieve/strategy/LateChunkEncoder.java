package io.posbias.retrieve.strategy;

import io.posbias.Checksums;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.model.DenseEncoder;
import io.posbias.retrieve.SearchReport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Vectors of windows, each the mean over its tokens as the model saw them in the whole text (Günther et al. 2024,
 * arXiv:2409.04701). A text longer than the model reads is read in overlapping stretches, and a window is taken from the first
 * stretch that holds it whole, which is the paper's long late chunking. Texts that are no {@link ContextWindow} have the
 * vectors that the model gives them without this.
 */
final class LateChunkEncoder implements TextEncoder {
    private final DenseEncoder model;
    private final CachedEncoder plain;
    private final Stretches stretches;
    private final AtomicLong encoded = new AtomicLong();

    /**
     * @param model closed by {@code plain}
     * @param plain keeps the model's own vectors
     * @param stretches in which it reads
     */
    LateChunkEncoder(DenseEncoder model, CachedEncoder plain, Stretches stretches) {
        this.model = model;
        this.plain = plain;
        this.stretches = stretches;
    }

    @Override
    public int dimension() {
        return model.dimension();
    }

    @Override
    public String space() {
        String all = model.space() + "\nlate-chunked " + stretches.room() + " " + stretches.overlap();
        return Checksums.sha256(all.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Map<String, Number> effort() {
        Map<String, Number> own = Map.of(CachedEncoder.ENCODED, encoded.get());
        return SearchReport.together(own, plain.effort());
    }

    @Override
    public Work prepare(List<String> texts, Role role) {
        return sink -> {
            Stretches.Cut cut = stretches.cut(texts);
            encodePlain(texts, cut.others(), role, sink);
            if (!cut.texts().isEmpty()) {
                encoded.addAndGet(cut.texts().size());
                model.prepareParts(cut.texts(), cut.parts())
                        .run(batch -> batch.forEach(one -> hand(one, cut.owners(), sink)));
            }
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

    @Override
    public void close() {
        plain.close();
    }
}

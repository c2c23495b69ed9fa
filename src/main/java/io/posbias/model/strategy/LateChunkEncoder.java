package io.posbias.model.strategy;

import io.posbias.base.files.Checksums;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.cache.CachedEncoder;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.rank.SearchReport;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Late chunking: a vector per window of a passage, the mean over its tokens as encoded in the whole text (Günther et
 * al. 2024, arXiv:2409.04701). A text above the model's limit is encoded in overlapping stretches, and a window is
 * taken from the first stretch that contains it (the paper's long late chunking). Queries, and passages of one window,
 * have the model's ordinary vector.
 */
final class LateChunkEncoder implements TextEncoder {
    private final DenseEncoder model;
    private final CachedEncoder plain;
    private final Stretches stretches;
    private final AtomicLong encoded = new AtomicLong();

    /**
     * @param model closed by {@code plain}
     * @param plain cache of the model's ordinary vectors
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
        TextWindows windows = stretches.windows();
        String all = String.join(
                " ",
                model.space() + "\nlate-chunked windows",
                String.valueOf(stretches.room()),
                String.valueOf(stretches.overlap()),
                String.valueOf(windows.size()),
                String.valueOf(windows.stride()),
                String.valueOf(windows.sentences()),
                String.valueOf(windows.fullLast()));
        return Checksums.sha256(all.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Map<String, Number> usage() {
        Map<String, Number> own = Map.of(SearchReport.ENCODED, encoded.get());
        return SearchReport.together(own, plain.usage());
    }

    @Override
    public EncodingWork prepare(List<String> texts, Role role) {
        return sink -> {
            if (role == Role.QUERY) {
                encodeWhole(
                        plain, texts, IntStream.range(0, texts.size()).boxed().toList(), role, sink);
                return;
            }
            Stretches.StretchCut cut = stretches.cut(texts);
            encodeWhole(plain, texts, cut.others(), role, sink);
            if (!cut.texts().isEmpty()) {
                encoded.addAndGet(cut.texts().size());
                Joined joined = new Joined(cut, sink);
                model.prepareParts(cut.texts(), cut.parts()).run(batch -> batch.forEach(joined::add));
            }
        };
    }

    /** Hands over the model's ordinary vectors of some of the texts. */
    static void encodeWhole(CachedEncoder plain, List<String> texts, List<Integer> places, Role role, VectorSink sink) {
        if (places.isEmpty()) {
            return;
        }
        Vectors vectors = plain.encode(places.stream().map(texts::get).toList(), role, "encode texts of one window");
        for (int i = 0; i < places.size(); i++) {
            sink.accept(List.of(new Encoded(places.get(i), vectors.read(i), 1, vectors.seen(i))));
        }
    }

    /** Hands over a text when all its windows have vectors. */
    private final class Joined {
        private final Stretches.StretchCut cut;
        private final VectorSink sink;
        private final Map<Integer, float[]> vectors = new HashMap<>();
        private final int[] missing;

        Joined(Stretches.StretchCut cut, VectorSink sink) {
            this.cut = cut;
            this.sink = sink;
            this.missing = cut.counts().clone();
        }

        void add(Encoded stretch) {
            int size = dimension();
            List<Stretches.StretchPlace> places = cut.places().get(stretch.text());
            int text = places.getFirst().text();
            int count = cut.counts()[text];
            float[] whole;
            synchronized (this) {
                float[] all = vectors.computeIfAbsent(text, fresh -> new float[count * size]);
                for (int i = 0; i < places.size(); i++) {
                    System.arraycopy(
                            stretch.vectors(), i * size, all, places.get(i).number() * size, size);
                }
                missing[text] -= places.size();
                if (missing[text] > 0) {
                    return;
                }
                vectors.remove(text);
                whole = all;
            }
            sink.accept(List.of(new Encoded(text, whole, count, WHOLE)));
        }
    }

    @Override
    public void close() {
        plain.close();
    }
}

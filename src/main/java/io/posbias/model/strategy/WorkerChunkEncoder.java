package io.posbias.model.strategy;

import io.posbias.base.files.Checksums;
import io.posbias.data.dataset.Span;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.cache.CachedEncoder;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.encode.worker.WorkerEncoder;
import io.posbias.rank.SearchReport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Late chunking by a worker, which divides long texts itself. Queries, and passages of one window, have the model's
 * ordinary vector.
 *
 * @param model closed by {@code plain}
 * @param plain cache of the model's ordinary vectors
 */
record WorkerChunkEncoder(WorkerEncoder model, CachedEncoder plain, TextWindows cutter, AtomicLong encoded)
        implements TextEncoder {
    @Override
    public int dimension() {
        return model.dimension();
    }

    @Override
    public String space() {
        String all = model.space() + "\nlate-chunked windows " + cutter.size() + " " + cutter.stride() + " "
                + cutter.sentences() + " " + cutter.fullLast();
        return Checksums.sha256(all.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Map<String, Number> usage() {
        return SearchReport.together(Map.of(SearchReport.ENCODED, encoded.get()), plain.usage());
    }

    @Override
    public EncodingWork prepare(List<String> texts, Role role) {
        return sink -> {
            List<Integer> whole = new ArrayList<>();
            List<Integer> places = new ArrayList<>();
            List<String> divided = new ArrayList<>();
            List<List<DenseEncoder.TokenRange>> spans = new ArrayList<>();
            for (int i = 0; i < texts.size(); i++) {
                List<Span> own = role == Role.QUERY ? List.of() : cutter.cut(texts.get(i));
                if (own.size() < 2) {
                    whole.add(i);
                } else {
                    places.add(i);
                    divided.add(texts.get(i));
                    spans.add(own.stream()
                            .map(span -> new DenseEncoder.TokenRange(span.start(), span.end()))
                            .toList());
                }
            }
            LateChunkEncoder.encodeWhole(plain, texts, whole, role, sink);
            if (!divided.isEmpty()) {
                encoded.addAndGet(divided.size());
                model.prepareSpans(divided, spans)
                        .run(batch -> sink.accept(batch.stream()
                                .map(one -> one.at(places.get(one.text())))
                                .toList()));
            }
        };
    }

    @Override
    public void close() {
        plain.close();
    }
}

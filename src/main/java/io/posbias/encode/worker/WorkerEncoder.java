package io.posbias.encode.worker;

import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.model.Pooling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Vectors of texts by workers: one per text, or one per token. */
public final class WorkerEncoder implements TextEncoder {
    private final WorkerPool workers;
    private final boolean perToken;

    /** Starts the workers and waits until their models are loaded. */
    public WorkerEncoder(String model, WorkerSettings settings, Engine engine) {
        this.workers = new WorkerPool(model, settings, engine);
        this.perToken = settings.gives() == WorkerSettings.Gives.LATE_INTERACTION;
    }

    @Override
    public int dimension() {
        return workers.model().dimension();
    }

    /** Returns true if vectors have length 1. */
    public boolean isNormalised() {
        return workers.model().cosine();
    }

    @Override
    public String space() {
        return workers.space();
    }

    @Override
    public EncodingWork prepare(List<String> texts, Role role) {
        List<String> sent = texts.stream().map(TextEncoder::encodable).toList();
        return sink -> workers.each(
                workers.requests(sent, String::length),
                (worker, items) -> sink.accept(encoded(worker, sent, items, role)));
    }

    private List<Encoded> encoded(Worker worker, List<String> texts, int[] items, Role role) {
        List<String> asked = Arrays.stream(items).mapToObj(texts::get).toList();
        Map<String, Object> header =
                Map.of("do", "encode", "role", role == Role.QUERY ? "query" : "passage", "texts", asked);
        Frame answer = worker.ask(header);
        List<Integer> rows = rows(worker, answer, items.length);
        long vectors = rows.stream().mapToLong(Integer::longValue).sum();
        WorkerPool.check(worker, answer, items.length, vectors * dimension());
        List<Encoded> encoded = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < items.length; i++) {
            int to = from + rows.get(i) * dimension();
            float[] own = Arrays.copyOfRange(answer.numbers(), from, to);
            if (workers.model().cosine()) {
                for (int row = 0; row < own.length; row += dimension()) {
                    Pooling.normalise(own, row, dimension());
                }
            }
            encoded.add(new Encoded(items[i], own, rows.get(i), seen(answer, i, asked.get(i))));
            from = to;
        }
        return encoded;
    }

    /** Returns the vectors per text: one, or as the worker says. */
    private List<Integer> rows(Worker worker, Frame answer, int texts) {
        if (!perToken) {
            return Collections.nCopies(texts, 1);
        }
        JsonNode rows = answer.header().path("rows");
        if (!rows.isArray() || rows.size() != texts || rows.valueStream().anyMatch(row -> row.asInt(-1) < 0)) {
            throw worker.failed("its list \"rows\" is not of " + texts + " texts");
        }
        return rows.valueStream().map(JsonNode::asInt).toList();
    }

    /** Converts code points read to {@link TextEncoder.Encoded#seen}. */
    static int seen(Frame answer, int index, String text) {
        JsonNode read = answer.header().path("read");
        if (read.isMissingNode()) {
            return UNKNOWN;
        }
        int points = read.path(index).asInt(WHOLE);
        return points < 0 || points >= text.codePointCount(0, text.length())
                ? WHOLE
                : text.offsetByCodePoints(0, points);
    }

    @Override
    public void close() {
        workers.close();
    }
}

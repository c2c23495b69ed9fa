package io.posbias.model.encode.worker;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.encode.model.Pooling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Vectors of texts by workers: one per text, one per token, or sparse ones as {@link TextEncoder#PAIR} says. */
public final class WorkerEncoder implements TextEncoder {
    private final String model;
    private final WorkerPool workers;
    private final WorkerSettings.Gives gives;

    /** Starts the workers and waits until their models are loaded. */
    public WorkerEncoder(String model, WorkerSettings settings, Engine engine) {
        this(model, new WorkerPool(model, settings, engine), settings.gives());
    }

    /** Starts the workers of a model that will be opened; loading libraries takes them seconds. */
    public static void startEarly(String model, WorkerSettings settings, Engine engine) {
        for (int number = 0; number < settings.workers(); number++) {
            Worker.startEarly(model, settings, number, engine);
        }
    }

    /** Encodes with workers that others use, too. */
    WorkerEncoder(String model, WorkerPool workers, WorkerSettings.Gives gives) {
        this.model = model;
        this.workers = workers;
        this.gives = gives;
    }

    @Override
    public int dimension() {
        return gives == WorkerSettings.Gives.SPARSE ? PAIR : width();
    }

    /** Returns the numbers of a vector; of a sparse one the size of the vocabulary. */
    public int width() {
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

    /**
     * Prepares passages of which each span has a vector, the mean over its tokens as encoded in the whole text.
     *
     * @param spans by text, in UTF-16 units, at least one each
     * @throws PosbiasException if the worker gives no vectors of spans
     */
    public EncodingWork prepareSpans(List<String> texts, List<List<DenseEncoder.TokenRange>> spans) {
        if (!workers.model().spans()) {
            throw new PosbiasException(
                    model + ": late chunking needs the vectors of a passage's tokens, averaged as the"
                            + " model does; this worker does not give them (field \"spans\" of its first answer)");
        }
        List<String> sent = texts.stream().map(TextEncoder::encodable).toList();
        return sink -> workers.each(workers.requests(sent, String::length), (worker, items) -> {
            List<List<List<Integer>>> places = Arrays.stream(items)
                    .mapToObj(item -> spans.get(item).stream()
                            .map(span -> points(sent.get(item), span))
                            .toList())
                    .toList();
            List<String> asked = WorkerPool.at(items, sent);
            Frame answer = worker.ask(Map.of("do", "spans", "role", "passage", "texts", asked, "spans", places));
            List<Integer> rows = places.stream().map(List::size).toList();
            sink.accept(encoded(worker, answer, asked, rows).stream()
                    .map(one -> one.at(items[one.text()]))
                    .toList());
        });
    }

    private static List<Integer> points(String text, DenseEncoder.TokenRange span) {
        return List.of(text.codePointCount(0, span.start()), text.codePointCount(0, span.end()));
    }

    private List<Encoded> encoded(Worker worker, List<String> texts, int[] items, Role role) {
        List<String> asked = WorkerPool.at(items, texts);
        Map<String, Object> header = Map.of("do", "encode", "role", Suggestions.word(role), "texts", asked);
        Frame answer = worker.ask(header);
        return encoded(worker, answer, asked, rows(worker, answer, items.length)).stream()
                .map(one -> one.at(items[one.text()]))
                .toList();
    }

    /**
     * Reads vectors from an answer.
     *
     * @param asked texts of the request, by whose index the result counts
     * @param rows vectors of each text
     */
    private List<Encoded> encoded(Worker worker, Frame answer, List<String> asked, List<Integer> rows) {
        long vectors = rows.stream().mapToLong(Integer::longValue).sum();
        WorkerPool.check(worker, answer, asked.size(), vectors * dimension());
        List<Encoded> encoded = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < asked.size(); i++) {
            int to = from + rows.get(i) * dimension();
            float[] own = Arrays.copyOfRange(answer.numbers(), from, to);
            if (workers.model().cosine()) {
                for (int row = 0; row < own.length; row += dimension()) {
                    Pooling.normalise(own, row, dimension());
                }
            }
            float[] kept = gives == WorkerSettings.Gives.SPARSE ? pairs(worker, own) : own;
            encoded.add(new Encoded(i, kept, kept.length / dimension(), seen(answer, i, asked.get(i))));
            from = to;
        }
        return encoded;
    }

    /** Checks the pairs of a text; returns one of zeros for none. */
    private float[] pairs(Worker worker, float[] pairs) {
        float last = -1;
        for (int i = 0; i < pairs.length; i += PAIR) {
            if (!(pairs[i] > last) || pairs[i] >= width() || pairs[i] != Math.rint(pairs[i])) {
                throw worker.failed("its terms are not ascending whole numbers below " + width() + ": " + pairs[i]
                        + (i == 0 ? "" : " after " + last));
            }
            last = pairs[i];
        }
        return pairs.length == 0 ? new float[PAIR] : pairs;
    }

    /** Returns the vectors or pairs per text: one, or as the worker says. */
    private List<Integer> rows(Worker worker, Frame answer, int texts) {
        if (gives == WorkerSettings.Gives.DENSE) {
            return Collections.nCopies(texts, 1);
        }
        return WorkerPool.counts(worker, answer, "rows", texts);
    }

    /** Converts code points read to {@link TextEncoder.Encoded#seen}. */
    static int seen(Frame answer, int index, String text) {
        JsonNode read = answer.header().path("read");
        if (read.isMissingNode()) {
            return UNKNOWN;
        }
        long points = Frame.whole(read.path(index), WHOLE);
        return points < 0 || points >= text.codePointCount(0, text.length())
                ? WHOLE
                : text.offsetByCodePoints(0, (int) points);
    }

    @Override
    public void close() {
        workers.close();
    }
}

package io.posbias.model.encode.worker;

import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.TextEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Scores of pairs by workers. */
public final class WorkerScorer implements PairScorer {
    private final WorkerPool workers;

    /** Starts the workers and waits until their models are loaded. */
    public WorkerScorer(String model, WorkerSettings settings, Engine engine) {
        this.workers = new WorkerPool(model, settings, engine);
    }

    @Override
    public String space() {
        return workers.space();
    }

    @Override
    public PairWork prepare(List<TextPair> pairs) {
        List<TextPair> sent = pairs.stream()
                .map(pair -> new TextPair(TextEncoder.encodable(pair.query()), TextEncoder.encodable(pair.passage())))
                .toList();
        return sink -> workers.each(
                workers.requests(
                        sent, pair -> pair.query().length() + pair.passage().length()),
                (worker, items) -> sink.accept(scored(worker, sent, items)));
    }

    private static List<Scored> scored(Worker worker, List<TextPair> pairs, int[] items) {
        List<TextPair> asked = WorkerPool.at(items, pairs);
        List<List<String>> texts = asked.stream()
                .map(pair -> List.of(pair.query(), pair.passage()))
                .toList();
        Frame answer = worker.ask(Map.of("do", "score", "pairs", texts));
        WorkerPool.check(worker, answer, items.length, items.length);
        List<Scored> scored = new ArrayList<>();
        for (int i = 0; i < items.length; i++) {
            boolean queryCut = answer.header().path("query_cut").path(i).asBoolean(false);
            int seen = WorkerEncoder.seen(answer, i, asked.get(i).passage());
            scored.add(new Scored(items[i], answer.numbers()[i], seen, queryCut));
        }
        return scored;
    }

    @Override
    public void close() {
        workers.close();
    }
}

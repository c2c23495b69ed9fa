package io.posbias.model.retrieve;

import io.posbias.base.process.Parallel;
import io.posbias.base.process.Progress;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairReader;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextReader;
import io.posbias.rank.TruncationReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Measures truncation with the tokenizer of a recipe's model. */
record TruncationProbe(Recipe model, Dataset dataset, Engine engine) {
    /** Measures passages that are encoded one by one. */
    TruncationReport passages(TextReader reader) {
        int[] seen = new int[dataset.passages().size()];
        forEach((ordinal, passage) ->
                seen[ordinal] = TruncationReport.ofText(passage.lead(), reader.seen(passage.content(), Role.PASSAGE)));
        long queriesCut = dataset.judgedQueries().stream()
                .filter(query -> reader.seen(query.text(), Role.QUERY) >= 0)
                .count();
        return ofPassages(seen, queriesCut);
    }

    private TruncationReport ofPassages(int[] seen, long queriesCut) {
        return TruncationReport.ofPassages(model.name(), model.maxTokens(), seen, queriesCut);
    }

    /**
     * Measures the pairs of a query and a relevant passage. Without queries, measures each passage with an empty
     * query, the maximum that is read of it.
     */
    TruncationReport pairs(PairReader reader) {
        if (dataset.judgedQueries().isEmpty()) {
            int[] seen = new int[dataset.passages().size()];
            forEach((ordinal, passage) ->
                    seen[ordinal] = read(reader, "", passage).passage());
            return ofPassages(seen, 0);
        }
        Map<Integer, List<Query>> askers = new HashMap<>();
        for (Query query : dataset.judgedQueries()) {
            Judgments judgments = Objects.requireNonNull(dataset.qrels().of(query.id()));
            for (int passage : judgments.relevantPassages()) {
                askers.computeIfAbsent(passage, first -> new ArrayList<>()).add(query);
            }
        }
        Map<String, Map<Integer, Integer>> cut = new ConcurrentHashMap<>();
        Set<String> queriesCut = ConcurrentHashMap.newKeySet();
        forEach((ordinal, passage) -> {
            for (Query query : askers.getOrDefault(ordinal, List.of())) {
                PairReader.Seen seen = read(reader, query.text(), passage);
                if (seen.passage() >= 0) {
                    cut.computeIfAbsent(query.id(), id -> new ConcurrentHashMap<>())
                            .put(ordinal, seen.passage());
                }
                if (seen.queryCut()) {
                    queriesCut.add(query.id());
                }
            }
        });
        return new TruncationReport(
                model.name(),
                model.maxTokens(),
                TruncationReport.Unit.PAIRS,
                askers.values().stream().mapToLong(List::size).sum(),
                cut.values().stream().mapToLong(Map::size).sum(),
                queriesCut.size(),
                true,
                new int[0],
                new HashMap<>(cut));
    }

    private static PairReader.Seen read(PairReader reader, String query, Passage passage) {
        PairReader.Seen seen = reader.read(new PairScorer.TextPair(query, passage.content()));
        return new PairReader.Seen(TruncationReport.ofText(passage.lead(), seen.passage()), seen.queryCut());
    }

    /** Runs an action for each passage, on several threads. */
    private void forEach(BiConsumer<Integer, Passage> work) {
        String label = "tokenise " + dataset.name() + " for " + model.name();
        try (Progress.Step step =
                engine.progress().start(label, dataset.passages().size())) {
            Parallel.<Map.Entry<Integer, Passage>>feed(
                    engine.threads(),
                    sink -> dataset.passages()
                            .inFileOrder((ordinal, passage) -> sink.accept(Map.entry(ordinal, passage))),
                    () -> entry -> {
                        work.accept(entry.getKey(), entry.getValue());
                        step.advance(1);
                    });
        }
    }
}

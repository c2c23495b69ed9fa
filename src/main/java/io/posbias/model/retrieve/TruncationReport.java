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
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.TextReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Truncation of texts by a model's token limit. A model that never read the evidence is not biased against it.
 *
 * @param stage the model's name
 * @param maxTokens its limit
 * @param unit counted by {@code total} and {@code cut}
 * @param total texts or pairs
 * @param cut truncated texts or pairs
 * @param queriesCut truncated queries
 * @param known false for services that truncate silently
 * @param byPassage for passages: UTF-16 units read of each text (without title) by ordinal, or {@link #WHOLE}, {@link
 *     #UNKNOWN} or {@link #NEVER_READ}
 * @param byPair for pairs: UTF-16 units read of the truncated relevant passages, by query
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; a list would box every passage
public record TruncationReport(
        String stage,
        int maxTokens,
        Unit unit,
        long total,
        long cut,
        long queriesCut,
        boolean known,
        int[] byPassage,
        Map<String, Map<Integer, Integer>> byPair) {
    /** The text was not truncated. */
    public static final int WHOLE = TextEncoder.WHOLE;

    /** The service may truncate without reporting it. */
    public static final int UNKNOWN = TextEncoder.UNKNOWN;

    /** No earlier stage returned the passage. */
    public static final int NEVER_READ = -3;

    public enum Unit {
        /** A passage is encoded by itself, once. */
        PASSAGES,
        /** A passage is read together with a query, so truncation depends on both. */
        PAIRS
    }

    /**
     * Converts units read of title and text to units read of the text.
     *
     * @param lead UTF-16 units of the title
     * @param seen units read, or a negative mark, which is returned
     */
    static int ofText(int lead, int seen) {
        return seen < 0 ? seen : Math.max(0, seen - lead);
    }

    static TruncationReport ofPassages(Recipe model, int[] seen, long queriesCut) {
        return ofPassages(model.name(), model.maxTokens(), seen, queriesCut);
    }

    /**
     * Reports passages that were encoded one by one.
     *
     * @param seen as {@link #byPassage}
     */
    public static TruncationReport ofPassages(String stage, int maxTokens, int[] seen, long queriesCut) {
        long read = Arrays.stream(seen).filter(one -> one != NEVER_READ).count();
        long cut = Arrays.stream(seen).filter(one -> one >= 0).count();
        boolean known = Arrays.stream(seen).noneMatch(one -> one == UNKNOWN);
        return new TruncationReport(stage, maxTokens, Unit.PASSAGES, read, cut, queriesCut, known, seen, Map.of());
    }

    /** Measures passages that are encoded one by one. */
    static TruncationReport read(Recipe model, Dataset dataset, TextReader reader, Engine engine) {
        int[] seen = new int[dataset.passages().size()];
        read(model, dataset, engine, (ordinal, passage) -> {
            int lead = passage.lead();
            seen[ordinal] = ofText(lead, reader.seen(passage.content(), Role.PASSAGE));
        });
        long queriesCut = dataset.judgedQueries().stream()
                .filter(query -> reader.seen(query.text(), Role.QUERY) >= 0)
                .count();
        return ofPassages(model, seen, queriesCut);
    }

    /**
     * Measures the pairs of a query and a relevant passage. Without queries, measures each passage with an empty
     * query, the maximum that is read of it.
     */
    static TruncationReport read(Recipe model, Dataset dataset, PairReader reader, Engine engine) {
        if (dataset.judgedQueries().isEmpty()) {
            int[] seen = new int[dataset.passages().size()];
            read(
                    model,
                    dataset,
                    engine,
                    (ordinal, passage) ->
                            seen[ordinal] = read(reader, "", passage).passage());
            return ofPassages(model, seen, 0);
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
        read(model, dataset, engine, (ordinal, passage) -> {
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
                Unit.PAIRS,
                askers.values().stream().mapToLong(List::size).sum(),
                cut.values().stream().mapToLong(Map::size).sum(),
                queriesCut.size(),
                true,
                new int[0],
                new HashMap<>(cut));
    }

    private static PairReader.Seen read(PairReader reader, String query, Passage passage) {
        PairReader.Seen seen = reader.read(new PairScorer.TextPair(query, passage.content()));
        int lead = passage.lead();
        return new PairReader.Seen(ofText(lead, seen.passage()), seen.queryCut());
    }

    /** Runs an action for each passage, on several threads. */
    private static void read(Recipe model, Dataset dataset, Engine engine, BiConsumer<Integer, Passage> work) {
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

    /** Returns this under another name. */
    TruncationReport named(String name) {
        return new TruncationReport(name, maxTokens, unit, total, cut, queriesCut, known, byPassage, byPair);
    }

    /** Adds a report of the same model on other queries of the same corpus. */
    TruncationReport plus(TruncationReport other) {
        if (unit == Unit.PASSAGES) {
            int[] seen = byPassage.clone();
            Arrays.setAll(seen, passage -> seen[passage] == NEVER_READ ? other.byPassage[passage] : seen[passage]);
            return ofPassages(stage, maxTokens, seen, queriesCut + other.queriesCut);
        }
        Map<String, Map<Integer, Integer>> pairs = new HashMap<>(byPair);
        pairs.putAll(other.byPair);
        return new TruncationReport(
                stage,
                maxTokens,
                unit,
                total + other.total,
                cut + other.cut,
                queriesCut + other.queriesCut,
                known && other.known,
                byPassage,
                pairs);
    }

    /**
     * Returns the UTF-16 units of a passage's text that were read for a query, or {@link #WHOLE} or {@link #UNKNOWN}.
     */
    public int seen(String query, int passage) {
        if (!known) {
            return UNKNOWN;
        }
        if (unit == Unit.PASSAGES) {
            return byPassage[passage];
        }
        return byPair.getOrDefault(query, Map.of()).getOrDefault(passage, WHOLE);
    }
}

package io.posbias.study.diagnose;

import io.posbias.base.files.Checksums;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Interval;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.DataOrigin;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.Words;
import io.posbias.run.placing.Documents;
import io.posbias.run.placing.Documents.TokenLengths;
import io.posbias.study.probe.ItemScorer;
import io.posbias.study.probe.ProbeItem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of query and text, equal for all methods and models.
 *
 * @param itemsSha256 null for a benchmark
 */
public record SaliencyPairs(
        DataOrigin data, @Nullable String itemsSha256, String language, String queryLanguage, List<SaliencyPair> all) {
    /** Name of the second text of a probe's item. */
    static final String SECOND = "text2";

    /**
     * Selection of pairs.
     *
     * @param ids empty for all queries
     * @param minTokens as counted by the benchmark; null for no limit
     * @param between bounds of the middle of the evidence, as shares of the text; null for no limit
     */
    public record SaliencyChoice(
            List<String> ids,
            int minWords,
            @Nullable Integer minTokens,
            @Nullable Interval between) {}

    /** Name of the benchmark, or of the probes. */
    String dataset() {
        return data.dataset();
    }

    /**
     * Reads the pairs of a benchmark and reports how many fit.
     *
     * @throws PosbiasException if none do
     */
    public static SaliencyPairs of(Documents documents, SaliencyChoice choice, Session session) {
        Map<String, Integer> words = new HashMap<>();
        List<SaliencyPair> all = documents.fitting(
                documents.read(queries(documents, choice)),
                document -> Optional.of(new SaliencyPair(
                                document.query().id(),
                                "",
                                document.query().text(),
                                document.sentences().text(),
                                document.evidence(),
                                documents.clusterOf(document)))
                        .filter(pair -> words.computeIfAbsent(
                                        pair.document(),
                                        text -> Words.cut(text, documents.language())
                                                .size())
                                >= choice.minWords()),
                "pairs of query and document",
                "fewer than " + choice.minWords() + " words",
                "--min-words sets how many they need",
                "",
                session);
        return new SaliencyPairs(
                DataOrigin.of(
                        documents.dataset(), all.stream().map(SaliencyPair::id).toList()),
                null,
                documents.language(),
                documents.dataset().card().queryLanguage(),
                all);
    }

    /**
     * Reads the pairs of probes, one per text of an item.
     *
     * @throws UsageException if a named item does not exist
     * @throws PosbiasException if no item has long enough texts
     */
    public static SaliencyPairs of(Map<Path, List<ProbeItem>> files, SaliencyChoice choice) {
        Map<String, String> digests = new LinkedHashMap<>();
        List<ProbeItem> all = new ArrayList<>();
        files.forEach((file, own) -> {
            digests.put(String.valueOf(file.getFileName()), Checksums.sha256(file));
            all.addAll(own);
        });
        List<ProbeItem> items = named(all, ProbeItem::id, choice.ids(), "item");
        ItemScorer scorer = new ItemScorer(items);
        List<SaliencyPair> pairs = items.stream()
                .map(SaliencyPairs::texts)
                .filter(texts -> texts.stream()
                        .allMatch(pair ->
                                Words.cut(pair.document(), scorer.language()).size() >= choice.minWords()))
                .flatMap(List::stream)
                .toList();
        String names =
                items.stream().map(item -> item.probe().name()).distinct().collect(Collectors.joining(","));
        if (pairs.isEmpty()) {
            throw new PosbiasException(names + ": no item has two texts of " + choice.minWords()
                    + " words; --min-words sets how many they need");
        }
        return new SaliencyPairs(
                new DataOrigin(names, digests, Map.of()),
                scorer.digest(),
                scorer.language(),
                scorer.queryLanguage(),
                pairs);
    }

    private static List<SaliencyPair> texts(ProbeItem item) {
        List<SaliencyPair> texts = new ArrayList<>(List.of(pair(item, "text1", item.text1())));
        if (item.text2() != null) {
            texts.add(pair(item, SECOND, item.text2()));
        }
        return texts;
    }

    private static SaliencyPair pair(ProbeItem item, String text, String document) {
        return new SaliencyPair(
                item.id(),
                text,
                item.query(),
                document,
                place(item.evidence(), document),
                Objects.requireNonNullElse(item.cluster(), item.id()));
    }

    /** The span of the evidence; null if it does not occur exactly once. */
    private static @Nullable Span place(@Nullable String evidence, String document) {
        if (evidence == null) {
            return null;
        }
        int at = document.indexOf(evidence);
        return at < 0 || document.indexOf(evidence, at + 1) >= 0 ? null : new Span(at, at + evidence.length());
    }

    /** The items with the given identifiers; all if none are given. */
    private static <T> List<T> named(List<T> all, Function<T, String> id, List<String> ids, String kind) {
        List<String> known = all.stream().map(id).toList();
        ids.stream().filter(wanted -> !known.contains(wanted)).findFirst().ifPresent(wanted -> {
            throw new UsageException("--query: " + Suggestions.unknown(kind, wanted, known));
        });
        return all.stream()
                .filter(one -> ids.isEmpty() || ids.contains(id.apply(one)))
                .toList();
    }

    private static List<Query> queries(Documents documents, SaliencyChoice choice) {
        Interval between = choice.between();
        Integer minTokens = choice.minTokens();
        List<Query> queries = between == null
                ? documents.answered()
                : documents.evident().stream()
                        .filter(query -> isBetween(query, between))
                        .toList();
        if (queries.isEmpty()) {
            throw nothing(documents, "no query whose evidence has its middle in that part of its one relevant passage");
        }
        List<Query> named = named(queries, Query::id, choice.ids(), "query with a relevant passage");
        if (minTokens == null) {
            return named;
        }
        IntPredicate longEnough = TokenLengths.atLeast(minTokens, documents.dataset());
        List<Query> longer = named.stream()
                .filter(query -> longEnough.test(documents.passage(query)))
                .toList();
        if (longer.isEmpty()) {
            throw nothing(documents, "no matching query with a document of at least " + minTokens + " tokens");
        }
        return longer;
    }

    private static PosbiasException nothing(Documents documents, String what) {
        return new PosbiasException(documents.dataset().name() + " has " + what + "; there is nothing to look at");
    }

    private static boolean isBetween(Query query, Interval between) {
        Evidence evidence = query.evidence();
        return evidence != null && evidence.isPlaced() && between.holds(evidence.relativePosition());
    }

    public int size() {
        return all.size();
    }

    /** Indices of the pairs of each query or probe item. */
    public List<List<Integer>> items() {
        List<List<Integer>> items = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (items.isEmpty() || !all.get(i).text().equals(SECOND)) {
                items.add(new ArrayList<>());
            }
            items.getLast().add(i);
        }
        return items;
    }

    /** The names of a query's texts; one empty name for benchmarks. */
    List<String> texts() {
        return all.stream().map(SaliencyPair::text).distinct().toList();
    }

    /**
     * A query and a text.
     *
     * @param text text1 or text2 of a probe's item; empty for benchmarks
     * @param evidence in UTF-16 units; null if unknown
     */
    public record SaliencyPair(
            String id,
            String text,
            String query,
            String document,
            @Nullable Span evidence,
            String cluster) {
        /** The identifier, with the name of a probe's text. */
        public String name() {
            return text.isEmpty() ? id : id + ":" + text;
        }
    }
}

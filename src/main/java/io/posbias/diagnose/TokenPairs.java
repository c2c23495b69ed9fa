package io.posbias.diagnose;

import io.posbias.Checksums;
import io.posbias.PosbiasException;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.dataset.DatasetPool;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import io.posbias.position.Bucketing;
import io.posbias.probe.ItemScorer;
import io.posbias.probe.ProbeItem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of query and text whose scores are taken apart, and what they are of.
 *
 * @param name of the benchmark or of the probes
 * @param checksums digests of its files, by name
 * @param itemsSha256 of the items of probes; null for a benchmark
 * @param pooled how many are of each of several benchmarks; else empty
 * @param language of the texts, as an ISO 639-1 code
 * @param queryLanguage of the queries
 * @param buckets of positions of the evidence, in the order of tables; empty where there are none
 * @param all the pairs; the two texts of a probe's item are neighbours
 */
public record TokenPairs(
        String name,
        Map<String, String> checksums,
        @Nullable String itemsSha256,
        Map<String, Integer> pooled,
        String language,
        String queryLanguage,
        List<String> buckets,
        List<TokenPair> all) {
    /** What probes call the texts of an item. */
    private static final List<String> TEXTS = List.of("text1", "text2");

    /**
     * Queries of a benchmark with their documents.
     *
     * @param ids of the only queries that are wanted; empty for all, or for those that are drawn
     * @param given how positions are grouped; null for the benchmark's own buckets
     * @throws UsageException if there is no such query
     * @throws PosbiasException if no query has a relevant passage
     */
    public static TokenPairs of(Documents documents, List<String> ids, @Nullable Bucketing given) {
        List<Query> queries = queries(documents, ids);
        String own = documents.dataset().card().bucketing();
        Bucketing bucketing = given != null ? given : own.isEmpty() ? Bucketing.NONE : Bucketing.parse(own);
        List<String> names = bucketing.positions().buckets();
        List<TokenPair> pairs = documents.read(queries).stream()
                .map(document -> new TokenPair(
                        document.query().id(),
                        "",
                        document.query().text(),
                        document.passage().text(),
                        document.evidence(),
                        document.evidence() == null
                                ? List.of()
                                : Arrays.stream(bucketing.bucketsOf(
                                                document.query().evidence()))
                                        .mapToObj(names::get)
                                        .toList(),
                        documents.unit(document)))
                .toList();
        return new TokenPairs(
                documents.dataset().name(),
                documents.dataset().checksums(),
                null,
                DatasetPool.counts(
                        documents.dataset().parts(),
                        pairs.stream().map(TokenPair::id).toList()),
                documents.language(),
                documents.dataset().card().queryLanguage(),
                names,
                pairs);
    }

    /** Those of all that are named by their ids; all where none is. */
    private static <T> List<T> named(List<T> all, Function<T, String> id, List<String> ids, String kind) {
        Set<String> wanted = new HashSet<>(ids);
        List<T> chosen = all.stream()
                .filter(one -> ids.isEmpty() || ids.contains(id.apply(one)))
                .toList();
        chosen.forEach(one -> wanted.remove(id.apply(one)));
        if (!wanted.isEmpty()) {
            String first = ids.stream().filter(wanted::contains).findFirst().orElseThrow();
            throw new UsageException("--query: "
                    + Suggestions.unknown(kind, first, all.stream().map(id).toList()));
        }
        return chosen;
    }

    private static List<Query> queries(Documents documents, List<String> ids) {
        List<Query> answered = documents.answered();
        if (answered.isEmpty()) {
            throw new PosbiasException(
                    documents.dataset().name() + " has no query with a relevant passage; there is nothing to look at");
        }
        return named(answered, Query::id, ids, "query with a relevant passage");
    }

    /**
     * Items of probes, each text of an item a pair.
     *
     * @param files of items
     * @param ids of the only items that are wanted; empty for all
     * @throws UsageException if there is no such item
     */
    public static TokenPairs of(Map<Path, List<ProbeItem>> files, List<String> ids) {
        Map<String, String> digests = new LinkedHashMap<>();
        List<TokenPair> pairs = new ArrayList<>();
        List<ProbeItem> all = new ArrayList<>();
        files.forEach((file, own) -> {
            digests.put(String.valueOf(file.getFileName()), Checksums.sha256(file));
            all.addAll(own);
        });
        List<ProbeItem> items = named(all, ProbeItem::id, ids, "item");
        for (ProbeItem item : items) {
            pairs.add(pair(item, TEXTS.getFirst(), item.text1()));
            if (item.text2() != null) {
                pairs.add(pair(item, TEXTS.getLast(), item.text2()));
            }
        }
        String names = String.join(
                ",", items.stream().map(item -> item.probe().name()).distinct().toList());
        ItemScorer scorer = new ItemScorer(items);
        return new TokenPairs(
                names, digests, scorer.digest(), Map.of(), scorer.language(), scorer.queryLanguage(), List.of(), pairs);
    }

    private static TokenPair pair(ProbeItem item, String text, String document) {
        return new TokenPair(
                item.id(),
                text,
                item.query(),
                document,
                place(item.evidence(), document),
                List.of(),
                Objects.requireNonNullElse(item.unit(), item.id()));
    }

    /** Where a text has the evidence; null where it has not, or several times: it is not known which is meant. */
    private static @Nullable Span place(@Nullable String evidence, String document) {
        if (evidence == null) {
            return null;
        }
        int at = document.indexOf(evidence);
        return at < 0 || document.indexOf(evidence, at + 1) >= 0 ? null : new Span(at, at + evidence.length());
    }

    /** How many there are. */
    public int size() {
        return all.size();
    }

    /** The names of the texts of one query; one empty name where it has but one. */
    public List<String> texts() {
        return all.stream().map(TokenPair::text).distinct().toList();
    }

    /** The places of the pairs of each query, or item of a probe, in their order. */
    public List<List<Integer>> byQuery() {
        List<List<Integer>> groups = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            // Neighbours with another name each are of one item: what is not is the next one's first.
            if (groups.isEmpty() || !all.get(i).text().equals(TEXTS.getLast())) {
                groups.add(new ArrayList<>());
            }
            groups.getLast().add(i);
        }
        return groups;
    }
}

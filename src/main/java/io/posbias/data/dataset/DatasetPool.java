package io.posbias.data.dataset;

import io.posbias.base.process.UsageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Pools benchmarks into one, in their order. Identifiers become NAME:ID. */
public final class DatasetPool {
    private static final String MARK = ":";

    private DatasetPool() {}

    /**
     * Pools at least two benchmarks with different names.
     *
     * @throws UsageException if their languages differ
     */
    public static Dataset of(String name, List<Dataset> parts) {
        Map<String, Passages> corpora = new LinkedHashMap<>();
        List<Query> queries = new ArrayList<>();
        for (Dataset part : parts) {
            refuseMixture(parts.getFirst().card(), part.card());
            corpora.put(part.name() + MARK, part.passages());
            part.queries().forEach(query -> queries.add(prefixed(part.name(), query)));
        }
        Passages passages = Passages.joined(corpora);
        Map<String, Judgments> judgments = new HashMap<>();
        parts.forEach(part -> part.judgedQueries()
                .forEach(query ->
                        judgments.put(prefixed(part.name(), query.id()), judgments(part, query, passages.ids()))));
        return new Dataset(
                card(name, parts.getFirst().card()),
                checksums(parts),
                passages,
                queries,
                new Qrels(
                        judgments,
                        parts.stream()
                                .map(part -> part.qrels().counts())
                                .reduce(Qrels.Counts.NONE, Qrels.Counts::plus)),
                parts.stream().map(Dataset::name).toList(),
                parts.stream().flatMap(part -> part.notes().stream()).toList());
    }

    /** Returns the digests of all files, prefixed by benchmark names if there are several. */
    public static Map<String, String> checksums(List<Dataset> parts) {
        if (parts.size() == 1) {
            return parts.getFirst().checksums();
        }
        Map<String, String> sums = new LinkedHashMap<>();
        parts.forEach(part -> part.checksums().forEach((file, sum) -> sums.put(part.name() + "/" + file, sum)));
        return sums;
    }

    private static Query prefixed(String part, Query query) {
        String passage = query.passage();
        Query.Variant variant = query.variant();
        return new Query(
                prefixed(part, query.id()),
                query.text(),
                query.evidence(),
                passage == null ? null : prefixed(part, passage),
                query.excluded().stream().map(id -> prefixed(part, id)).toList(),
                variant == null
                        ? null
                        : new Query.Variant(
                                prefixed(part, variant.of()), variant.place(), prefixed(part, variant.document())),
                query.answers());
    }

    public static String prefixed(String part, String id) {
        return part + MARK + id;
    }

    /** Returns the benchmark of a prefixed identifier. */
    static String part(String id) {
        return id.substring(0, id.indexOf(MARK));
    }

    private static void refuseMixture(DatasetCard first, DatasetCard part) {
        if (!first.language().equals(part.language()) || !first.queryLanguage().equals(part.queryLanguage())) {
            throw new UsageException(
                    "datasets of different languages are not pooled: " + first.name() + " is in " + languages(first)
                            + ", " + part.name() + " in " + languages(part) + "; run one language at a time");
        }
    }

    private static String languages(DatasetCard card) {
        String passages = card.language().isEmpty() ? "an unknown language" : card.language();
        return card.queryLanguage().equals(card.language()) ? passages : card.queryLanguage() + " on " + passages;
    }

    private static DatasetCard card(String name, DatasetCard first) {
        return DatasetCard.named(name)
                .with(DatasetCard.Field.LANGUAGE, first.language())
                .with(DatasetCard.Field.QUERY_LANGUAGE, first.queryLanguage());
    }

    private static Judgments judgments(Dataset part, Query query, PassageIds pooled) {
        Judgments own = Objects.requireNonNull(part.qrels().of(query.id()));
        Map<Integer, Integer> grades = new HashMap<>();
        for (int passage : own.passages()) {
            String id = prefixed(part.name(), part.passages().ids().id(passage));
            grades.put(pooled.ordinal(id), own.grade(passage));
        }
        return Judgments.of(grades);
    }
}

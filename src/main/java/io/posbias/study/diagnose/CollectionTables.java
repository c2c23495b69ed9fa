package io.posbias.study.diagnose;

import io.posbias.base.stats.Quartiles;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.study.diagnose.CollectionLengths.QueryType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Tables 1, 4, 5 and 6 of the PosIR paper (arXiv:2601.08363) for any benchmarks. */
public record CollectionTables(String units, List<CollectionLengths> sets) {
    private static final String ALL = "all";
    private static final double NOTABLE = 0.01;

    private static final Columns<CollectionGroup> GROUPS = new Columns<CollectionGroup>()
            .label("name", CollectionGroup::name)
            .text("datasets", CollectionGroup::datasets)
            .text("documents", group -> group.documents().count())
            .number("share", NumberFormat.PERCENT, CollectionGroup::share)
            .text("queries", group -> group.queries().count())
            .under("document length")
            .text("min", group -> group.documents().least())
            .number("q1", NumberFormat.LENGTH, group -> group.documents().q1())
            .number("median", NumberFormat.LENGTH, group -> group.documents().median())
            .number("q3", NumberFormat.LENGTH, group -> group.documents().q3())
            .text("max", group -> group.documents().most())
            .number("mean", NumberFormat.LENGTH, group -> group.documents().mean())
            .under("query length")
            .number("mean", NumberFormat.LENGTH, group -> group.queries().mean());

    /** Benchmarks grouped by language or domain, or all of them. */
    public record CollectionGroup(
            @Meaning("`language`, `domain` or `all`") String by,
            @Meaning("which language or domain") String name,
            @Meaning("benchmarks") int datasets,
            @Meaning("share of all passages") double share,

            @Meaning(
                    value =
                            "passages, and their lengths in words or, with a model, its tokens: sum, shortest, quartiles,"
                                    + " longest and mean",
                    unit = "number")
            Quartiles documents,

            @Meaning(value = "queries, and their lengths in the same unit", unit = "number")
            Quartiles queries) {}

    public static final RecordCsv<CollectionGroup> LINES = new RecordCsv<>(CollectionGroup.class);

    public record QueryTypeCounts(String language, int queries, Map<QueryType, Integer> types) {
        double share(QueryType type) {
            return (double) Objects.requireNonNull(types.get(type)) / queries;
        }
    }

    public record CollectionFile(
            String schema,
            String units,
            CollectionGroup all,
            List<CollectionGroup> languages,
            List<CollectionGroup> domains,
            List<QueryTypeCounts> queryTypes,
            Map<String, Double> unknownTokens) {}

    private record CollectionFact(String name, double value) {}

    private CollectionGroup group(String by, String name, List<CollectionLengths> members) {
        int[] documents = members.stream()
                .map(CollectionLengths::documents)
                .flatMapToInt(IntStream::of)
                .toArray();
        long all = sets.stream().mapToLong(set -> set.documents().length).sum();
        return new CollectionGroup(
                by,
                name,
                members.size(),
                all == 0 ? 0 : (double) documents.length / all,
                Quartiles.of(IntStream.of(documents)),
                Quartiles.of(members.stream().map(CollectionLengths::queries).flatMapToInt(IntStream::of)));
    }

    private List<CollectionGroup> groups(String by, Function<CollectionLengths, String> key) {
        return sets.stream()
                .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(entry -> group(by, entry.getKey(), entry.getValue()))
                .toList();
    }

    private List<QueryTypeCounts> types() {
        Map<String, Map<QueryType, Integer>> byLanguage = new LinkedHashMap<>();
        for (CollectionLengths set : sets) {
            if (!set.types().isEmpty()) {
                Map<QueryType, Integer> own = byLanguage.computeIfAbsent(set.queryLanguage(), language -> none());
                set.types().forEach((type, count) -> own.merge(type, count, Integer::sum));
            }
        }
        return byLanguage.entrySet().stream()
                .map(entry -> new QueryTypeCounts(
                        entry.getKey(),
                        entry.getValue().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum(),
                        entry.getValue()))
                .toList();
    }

    private static Map<QueryType, Integer> none() {
        return Arrays.stream(QueryType.values())
                .collect(Collectors.toMap(type -> type, type -> 0, Integer::sum, TreeMap::new));
    }

    /** Share of unknown tokens per language, if above 0. */
    private Map<String, Double> unknown() {
        Map<String, Double> shares = new LinkedHashMap<>();
        for (CollectionGroup group : groups("language", CollectionLengths::language)) {
            long unknown = sets.stream()
                    .filter(set -> set.language().equals(group.name()))
                    .mapToLong(CollectionLengths::unknown)
                    .sum();
            if (unknown > 0) {
                shares.put(group.name(), (double) unknown / group.documents().total());
            }
        }
        return shares;
    }

    public CollectionFile document() {
        return new CollectionFile(
                "posbias/statistics/1",
                units,
                group(ALL, ALL, sets),
                groups("language", CollectionLengths::language),
                groups("domain", set -> CollectionLengths.domain(set.name())),
                types(),
                unknown());
    }

    /** One row per language, domain and the total, in full precision. */
    public Table raw() {
        CollectionFile document = document();
        List<CollectionGroup> rows = new ArrayList<>(document.languages());
        rows.addAll(document.domains());
        rows.add(document.all());
        return LINES.table(rows);
    }

    public List<Table> tables() {
        CollectionFile document = document();
        List<Table> tables = new ArrayList<>(List.of(
                summary(document),
                table("Documents by language (PosIR's Table 4)", document.languages(), document.all()),
                table("Documents by dataset or domain (PosIR's Table 5)", document.domains(), document.all())));
        if (!document.queryTypes().isEmpty()) {
            tables.add(types(document.queryTypes()));
        }
        return tables;
    }

    private Table summary(CollectionFile document) {
        CollectionGroup all = document.all();
        int n = sets.size();
        List<CollectionFact> facts = List.of(
                new CollectionFact("languages", document.languages().size()),
                new CollectionFact("domains", document.domains().size()),
                new CollectionFact("datasets", n),
                new CollectionFact("queries per dataset", (double) all.queries().count() / n),
                new CollectionFact(
                        "documents per dataset", (double) all.documents().count() / n),
                new CollectionFact("query length in all", all.queries().total()),
                new CollectionFact("mean query length", all.queries().mean()),
                new CollectionFact("document length in all", all.documents().total()),
                new CollectionFact("mean document length", all.documents().mean()));
        return new Columns<CollectionFact>()
                .label("metric", CollectionFact::name)
                .number("value", NumberFormat.LENGTH, CollectionFact::value)
                .table("Datasets together (PosIR's Table 1)", facts, notes(document));
    }

    private List<String> notes(CollectionFile document) {
        List<String> notes = new ArrayList<>(List.of("lengths: " + units + "; documents without titles"));
        document.unknownTokens().forEach((language, share) -> {
            if (share >= NOTABLE) {
                notes.add(NumberFormat.PERCENT.print(share) + " of the tokens of documents in " + language
                        + " are unknown to the tokenizer, which counts each unknown word or character as one");
            }
        });
        return notes;
    }

    private static Table table(String title, List<CollectionGroup> groups, CollectionGroup all) {
        List<CollectionGroup> rows = new ArrayList<>(groups);
        if (groups.size() > 1) {
            rows.add(all);
        }
        return GROUPS.table(
                title,
                rows,
                List.of("quartiles: linear between values, as numpy's"
                        + (groups.size() > 1 ? "; all: of all documents, where PosIR averages the rows" : "")));
    }

    private Table types(List<QueryTypeCounts> languages) {
        Columns<QueryType> columns = new Columns<QueryType>().label("query type", QueryType::name);
        languages.forEach(language ->
                columns.number(language.language() + " (%)", NumberFormat.POINTS, type -> language.share(type)));
        List<String> notes = new ArrayList<>(List.of(
                "English: the first word; Chinese: the first interrogative word anywhere, by a list of ours. OTHERS:"
                        + " yes-no questions and questions that begin otherwise; CLAIM: no question"));
        List<String> without = sets.stream()
                .map(CollectionLengths::queryLanguage)
                .filter(language -> !QueryType.isKnown(language))
                .distinct()
                .map(language -> language.isEmpty() ? "not given" : language)
                .toList();
        if (!without.isEmpty()) {
            notes.add("left out, as their words are not listed: " + String.join(", ", without));
        }
        return columns.table("Query types (PosIR's Table 6)", Arrays.asList(QueryType.values()), notes);
    }
}

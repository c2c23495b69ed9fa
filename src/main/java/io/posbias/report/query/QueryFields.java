package io.posbias.report.query;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetStatistics;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.dataset.Query;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.CsvFiles;
import io.posbias.score.result.StoredCell;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fields of one benchmark's queries: columns of queries.csv, properties of their cell, and properties of the benchmark,
 * which is opened only for these.
 */
final class QueryFields {
    static final String BUCKETS = "buckets";

    static final String STRATUM = "stratum";

    enum Kind {
        NUMBER,
        TEXT
    }

    private record Words(@Nullable Integer ofPassage, int ofQuery) {}

    private record BenchmarkWords(Map<String, String> files, Map<String, Words> words) {}

    private final String dataset;
    private final List<StoredCell> cells;
    private final Benchmarks benchmarks;
    private final AddedFields added;
    private @Nullable BenchmarkWords found;
    private @Nullable DatasetCard card;
    private boolean cardSought;

    QueryFields(List<StoredCell> cells, Benchmarks benchmarks, AddedFields added) {
        this.dataset = cells.getFirst().result().dataset();
        this.cells = cells;
        this.benchmarks = benchmarks;
        this.added = added;
    }

    static Map<String, Kind> known(List<StoredCell> cells) {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        List.of("query_id", BUCKETS, STRATUM, "passage", "article").forEach(name -> kinds.put(name, Kind.TEXT));
        List.of("start", "end", "text_length", "token_length").forEach(name -> kinds.put(name, Kind.NUMBER));
        measures(cells).forEach(measure -> kinds.put(measure, Kind.NUMBER));
        List.of("model", "family", "dataset", "language", "query_language").forEach(name -> kinds.put(name, Kind.TEXT));
        List.of("words", "query_words").forEach(name -> kinds.put(name, Kind.NUMBER));
        return kinds;
    }

    static List<String> measures(List<StoredCell> cells) {
        return cells.stream()
                .flatMap(cell -> cell.result().measures().stream())
                .distinct()
                .toList();
    }

    Map<String, Function<Integer, @Nullable Object>> of(CellQueries queries) {
        Map<String, Function<Integer, @Nullable Object>> fields = new HashMap<>();
        if (!queries.scores().queries().isEmpty()) {
            CsvFiles.values(queries, 0)
                    .keySet()
                    .forEach(name -> fields.put(
                            name, place -> text(CsvFiles.values(queries, place).get(name))));
        }
        fields.put(BUCKETS, place -> {
            List<String> names = queries.placement().bucketNamesOf(place);
            return names.isEmpty() ? null : names;
        });
        fields.put("model", place -> queries.result().model());
        fields.put("family", place -> text(queries.result().family()));
        fields.put("dataset", place -> dataset);
        fields.put("language", place -> card(DatasetCard::language));
        fields.put("query_language", place -> card(DatasetCard::queryLanguage));
        fields.put("words", place -> {
            Words own = words(queries, place);
            return own == null ? null : own.ofPassage;
        });
        fields.put("query_words", place -> {
            Words own = words(queries, place);
            return own == null ? null : (Integer) own.ofQuery;
        });
        added.kinds()
                .keySet()
                .forEach(name -> fields.put(name, place -> {
                    Function<Integer, @Nullable Object> key = fields.get(added.key());
                    return key == null ? null : added.value(name, key.apply(place), card(DatasetCard::language));
                }));
        return fields;
    }

    private static @Nullable Object text(@Nullable Object value) {
        return "".equals(value) ? null : value;
    }

    private @Nullable Object card(Function<DatasetCard, String> field) {
        if (!cardSought) {
            cardSought = true;
            card = benchmarks.card(dataset, cells).orElse(null);
        }
        DatasetCard known = card;
        return known == null ? null : text(field.apply(known));
    }

    private @Nullable Words words(CellQueries queries, int place) {
        BenchmarkWords known = found;
        if (known == null) {
            known = find();
            found = known;
        }
        return known.files.equals(queries.result().provenance().datasetSha256())
                ? known.words.get(queries.scores().queries().get(place).id())
                : null;
    }

    private BenchmarkWords find() {
        LazyDataset benchmark = benchmarks.find("words", dataset, cells).benchmark();
        return benchmark == null
                ? new BenchmarkWords(Map.of(), Map.of())
                : new BenchmarkWords(benchmark.checksums(), words(benchmark.open()));
    }

    /** Counts words of judged queries and their passages; reads the corpus once. */
    private static Map<String, Words> words(Dataset dataset) {
        Map<Integer, Integer> passages = new HashMap<>();
        dataset.judgedQueries().forEach(query -> passages.put(passage(dataset, query), -1));
        dataset.passages()
                .inFileOrder((ordinal, passage) ->
                        passages.computeIfPresent(ordinal, (same, none) -> DatasetStatistics.words(passage.text())));
        Map<String, Words> words = new HashMap<>();
        for (Query query : dataset.judgedQueries()) {
            int passage = passage(dataset, query);
            words.put(
                    query.id(),
                    new Words(passage < 0 ? null : passages.get(passage), DatasetStatistics.words(query.text())));
        }
        return words;
    }

    private static int passage(Dataset dataset, Query query) {
        Judgments judgments = dataset.qrels().of(query.id());
        return judgments == null ? -1 : judgments.firstRelevant();
    }
}

package io.posbias.result;

import io.posbias.Fields;
import io.posbias.Printable;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.measure.Clustering;
import io.posbias.measure.QueryBuckets;
import io.posbias.measure.Scores;
import io.posbias.measure.SearchFacts;
import io.posbias.measure.Settings;
import io.posbias.measure.Truncation.EvidenceCuts;
import io.posbias.table.CsvRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads queries.csv; several files can be joined. */
public final class QueriesFile {
    private final Settings settings;
    private final Set<String> known;
    private final List<Query> queries = new ArrayList<>();
    private final List<List<String>> buckets = new ArrayList<>();
    private final List<String> bands = new ArrayList<>();
    private final List<String> passages = new ArrayList<>();
    private final List<String> articles = new ArrayList<>();
    private final List<String> reads = new ArrayList<>();
    private final BitSet missed = new BitSet();
    private final List<double[]> rows = new ArrayList<>();

    /**
     * @param settings of the result beside the files
     */
    public QueriesFile(Settings settings) {
        this.settings = settings;
        this.known = Set.copyOf(settings.bucketing().positions().buckets());
    }

    /**
     * Adds the queries of a file.
     *
     * @param prefix of identifiers, to distinguish benchmarks
     */
    public void add(Path file, String prefix) {
        for (Fields row : CsvRows.read(file)) {
            Evidence evidence = new Evidence(
                    number(row, "start"),
                    number(row, "end"),
                    number(row, "text_length"),
                    number(row, "token_length"),
                    List.of(),
                    null);
            queries.add(new Query(prefix + row.id("query_id"), "", evidence));
            buckets.add(names(row));
            bands.add(row.text("stratum", ""));
            passages.add(prefixed(prefix, row.text("passage", "")));
            articles.add(prefixed(prefix, row.text("article", "")));
            reads.add(row.text(CsvFiles.READ, ""));
            if (row.has(CsvFiles.POOLED)) {
                missed.set(rows.size(), row.parsedInteger(CsvFiles.POOLED) == 0);
            }
            rows.add(scores(row));
        }
    }

    private static String prefixed(String prefix, String name) {
        return name.isEmpty() ? "" : prefix + name;
    }

    private List<String> names(Fields row) {
        List<String> names = row.has("buckets") ? List.of(row.text("buckets").split(CsvFiles.JOINT, -1)) : List.of();
        for (String name : names) {
            if (!known.contains(name)) {
                throw row.bad(
                        "buckets",
                        "names " + Printable.quoted(name),
                        "the result's buckets are " + settings.bucketing());
            }
        }
        return names;
    }

    private double[] scores(Fields row) {
        return settings.names().stream().mapToDouble(row::parsedNumber).toArray();
    }

    private static int number(Fields row, String name) {
        return row.has(name) ? row.parsedInteger(name) : Evidence.UNKNOWN;
    }

    public Scores scores() {
        double[][] values = new double[settings.measures().size()][rows.size()];
        for (int query = 0; query < rows.size(); query++) {
            for (int m = 0; m < values.length; m++) {
                values[m][query] = rows.get(query)[m];
            }
        }
        return new Scores(queries, settings.measures(), values);
    }

    public QueryBuckets placement() {
        boolean titled = articles.stream().noneMatch(String::isEmpty);
        Clustering units = new Clustering(Clustering.By.PASSAGE, passages, titled ? articles : List.of());
        return QueryBuckets.ofNames(settings.bucketing(), buckets, bands, units).by(settings.cluster());
    }

    /** Returns the facts of the search that the retrieval reports. */
    public SearchFacts facts(Retrieval retrieval) {
        int models = retrieval.truncations().size();
        return new SearchFacts(
                IntStream.range(0, models).mapToObj(this::cuts).toList(),
                retrieval.firstStage() == null ? null : missed);
    }

    private EvidenceCuts cuts(int model) {
        List<EvidenceCuts.@Nullable Read> own = new ArrayList<>();
        reads.forEach(row -> own.add(read(row, model)));
        return EvidenceCuts.of(own);
    }

    private static EvidenceCuts.@Nullable Read read(String row, int model) {
        String[] words = row.split(CsvFiles.JOINT, -1);
        return model >= words.length || words[model].isEmpty()
                ? null
                : EvidenceCuts.Read.valueOf(words[model].toUpperCase(Locale.ROOT));
    }
}

package io.posbias.result;

import io.posbias.Fields;
import io.posbias.Printable;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.measure.Clustering;
import io.posbias.measure.Measure;
import io.posbias.measure.Measures;
import io.posbias.measure.QueryBuckets;
import io.posbias.measure.Scores;
import io.posbias.position.Bucketing;
import io.posbias.table.CsvRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads queries.csv; several files can be joined. */
public final class QueriesFile {
    private final List<Measure> measures;
    private final Bucketing bucketing;
    private final Set<String> known;
    private final List<Query> queries = new ArrayList<>();
    private final List<List<String>> buckets = new ArrayList<>();
    private final List<String> bands = new ArrayList<>();
    private final List<String> passages = new ArrayList<>();
    private final List<String> articles = new ArrayList<>();
    private final List<double[]> rows = new ArrayList<>();

    public QueriesFile(List<Measure> measures, Bucketing bucketing) {
        this.measures = List.copyOf(measures);
        this.bucketing = bucketing;
        this.known = Set.copyOf(bucketing.positions().buckets());
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
                throw row.bad("buckets", "names " + Printable.quoted(name), "the result's buckets are " + bucketing);
            }
        }
        return names;
    }

    private double[] scores(Fields row) {
        double[] scores = new double[measures.size()];
        for (int m = 0; m < scores.length; m++) {
            String name = measures.get(m).toString();
            scores[m] = row.parsedNumber(name);
        }
        return scores;
    }

    private static int number(Fields row, String name) {
        return row.has(name) ? row.parsedInteger(name) : Evidence.UNKNOWN;
    }

    public Scores scores() {
        double[][] values = new double[measures.size()][rows.size()];
        for (int query = 0; query < rows.size(); query++) {
            for (int m = 0; m < values.length; m++) {
                values[m][query] = rows.get(query)[m];
            }
        }
        return new Scores(queries, measures, values);
    }

    public QueryBuckets placement(Clustering.By cluster) {
        boolean titled = articles.stream().noneMatch(String::isEmpty);
        Clustering units = new Clustering(Clustering.By.PASSAGE, passages, titled ? articles : List.of());
        return QueryBuckets.ofNames(bucketing, buckets, bands, units).by(cluster);
    }

    public static List<Measure> measures(List<String> names) {
        return names.stream().map(Measures::parse).toList();
    }
}

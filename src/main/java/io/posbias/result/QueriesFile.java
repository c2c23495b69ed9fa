package io.posbias.result;

import io.posbias.Fields;
import io.posbias.Plural;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.measure.BucketMean;
import io.posbias.measure.Clustering;
import io.posbias.measure.Measure;
import io.posbias.measure.Measures;
import io.posbias.measure.Profile;
import io.posbias.measure.QueryBuckets;
import io.posbias.measure.Scores;
import io.posbias.position.Bucketing;
import io.posbias.position.Strata;
import io.posbias.table.CsvRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
     * Adds the queries of a cell.
     *
     * @param prefix of identifiers, to distinguish benchmarks
     * @throws PosbiasException if the cell's result counts other queries or has other means
     */
    public void add(FinishedCell cell, String prefix) {
        int first = rows.size();
        Set<String> ids = new HashSet<>();
        for (Fields row : CsvRows.read(cell.queriesFile())) {
            if (!ids.add(row.id("query_id"))) {
                throw row.bad(
                        "query_id", "is " + Printable.quoted(row.id("query_id")) + " again", "each query has one row");
            }
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
        int judged = cell.result().queries().judged();
        if (ids.size() != judged) {
            throw cell.other(CsvFiles.QUERIES, "holds " + ids.size() + " queries, the result counts " + judged);
        }
        for (int measure = 0; measure < measures.size(); measure++) {
            String name = measures.get(measure).toString();
            if (cell.result().profile(name, Strata.ALL) == null) {
                throw cell.other(ResultFile.NAME, "has no profile of " + name);
            }
            for (Profile profile : cell.result().profiles()) {
                if (profile.measure().equals(name)) {
                    refuseOther(cell, profile, measure, first);
                }
            }
        }
    }

    /** Refuses rows from an index on whose counts or means are not those of a profile. */
    private void refuseOther(FinishedCell cell, Profile profile, int measure, int first) {
        BucketMean all = new BucketMean("", profile.queries(), profile.queryMean(), false);
        Stream.concat(Stream.of(all), profile.buckets().stream()).forEach(part -> {
            double[] scores = IntStream.range(first, rows.size())
                    .filter(row -> profile.stratum().equals(Strata.ALL)
                            || profile.stratum().equals(bands.get(row)))
                    .filter(row -> part.equals(all) || buckets.get(row).contains(part.bucket()))
                    .mapToDouble(row -> rows.get(row)[measure])
                    .toArray();
            double mean = Arrays.stream(scores).average().orElse(0);
            if (scores.length != part.queries() || !BucketMean.isSame(mean, part.mean() == null ? 0 : part.mean())) {
                throw cell.other(
                        CsvFiles.QUERIES,
                        "gives " + profile.measure() + " " + mean + " over " + Plural.of(scores.length, "query")
                                + (part.equals(all) ? "" : " of " + part.bucket()) + ", the result has " + part.mean()
                                + " over " + part.queries());
            }
        });
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
            scores[m] = score(row, name);
        }
        return scores;
    }

    /** A score of a measure, between 0 and 1. */
    static double score(Fields row, String column) {
        double score = row.parsedNumber(column);
        if (!BucketMean.isFraction(score)) {
            throw row.bad(column, "is " + score, "scores are between 0 and 1");
        }
        return score;
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

package io.posbias.score.result;

import io.posbias.base.json.Fields;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.table.CsvRows;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.SearchFacts;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
    private final List<String> identifiers = new ArrayList<>();

    private final List<Integer> starts = new ArrayList<>();

    /**
     * @param settings of the result beside the files
     */
    public QueriesFile(Settings settings) {
        this.settings = settings;
        this.known = Set.copyOf(settings.bucketing().positions().buckets());
    }

    /**
     * Adds the queries of a cell.
     *
     * @param prefix of identifiers, to distinguish benchmarks
     * @throws PosbiasException if the cell's result counts other queries or has other means
     */
    public void add(StoredCell cell, String prefix) {
        int first = rows.size();
        starts.add(first);
        Set<String> ids = new HashSet<>();
        for (Fields row : CsvRows.read(cell.queriesFile())) {
            String id = row.id("query_id");
            if (!ids.add(id)) {
                throw row.bad("query_id", "is " + Printable.quoted(id) + " again", "each query has one row");
            }
            Evidence evidence = new Evidence(
                    number(row, "start"),
                    number(row, "end"),
                    number(row, "text_length"),
                    number(row, "token_length"),
                    List.of(),
                    null);
            identifiers.add(id);
            queries.add(new Query(prefix + id, "", evidence));
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
        int judged = cell.result().queries().judged();
        if (ids.size() != judged) {
            throw cell.other(
                    CsvFiles.QUERIES, "holds " + Plural.of(ids.size(), "query") + ", the result counts " + judged);
        }
        for (int measure = 0; measure < settings.names().size(); measure++) {
            String name = settings.names().get(measure);
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
    private void refuseOther(StoredCell cell, Profile profile, int measure, int first) {
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
                throw row.bad(
                        "buckets",
                        "names " + Printable.quoted(name),
                        "the result's buckets are " + settings.bucketing());
            }
        }
        return names;
    }

    private double[] scores(Fields row) {
        return settings.names().stream().mapToDouble(name -> score(row, name)).toArray();
    }

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
        Clustering units = new Clustering(
                Clustering.By.PASSAGE, acrossTranslations(passages), titled ? acrossTranslations(articles) : List.of());
        return QueryBuckets.ofNames(settings.bucketing(), buckets, bands, units).by(settings.unit());
    }

    /**
     * Returns true if a cell has queries of another one, translated: their scores depend on each other.
     *
     * @param placement of these files
     */
    public boolean holdsTranslations(QueryBuckets placement) {
        return !placement.clustering().passages().equals(passages);
    }

    /**
     * Gives passages of translated benchmarks the name in the first of them. Two cells are translations of each other if queries
     * of equal identifiers have equal passages in both, one for one; other equal identifiers mean nothing.
     */
    private List<String> acrossTranslations(List<String> names) {
        List<String> joined = new ArrayList<>(names);
        List<Map<String, String>> earlier = new ArrayList<>();
        for (int cell = 0; cell < starts.size(); cell++) {
            for (Map<String, String> others : earlier) {
                Map<String, String> there = new HashMap<>();
                Map<String, String> back = new HashMap<>();
                boolean matches = rows(cell)
                        .filter(row ->
                                !others.getOrDefault(identifiers.get(row), "").isEmpty())
                        .filter(row -> !names.get(row).isEmpty())
                        .allMatch(row -> {
                            String name = names.get(row);
                            String other = others.getOrDefault(identifiers.get(row), "");
                            return other.equals(there.computeIfAbsent(name, key -> other))
                                    && name.equals(back.computeIfAbsent(other, key -> name));
                        });
                if (matches) {
                    rows(cell).forEach(row -> joined.set(row, there.getOrDefault(names.get(row), joined.get(row))));
                }
            }
            Map<String, String> own = new HashMap<>();
            rows(cell).forEach(row -> own.put(identifiers.get(row), joined.get(row)));
            earlier.add(own);
        }
        return joined;
    }

    private IntStream rows(int cell) {
        int end = cell + 1 < starts.size() ? starts.get(cell + 1) : rows.size();
        return IntStream.range(starts.get(cell), end);
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

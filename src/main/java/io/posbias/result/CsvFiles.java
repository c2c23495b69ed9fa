package io.posbias.result;

import io.posbias.IoErrors;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.measure.BucketMean;
import io.posbias.measure.Profile;
import io.posbias.measure.QueryBuckets;
import io.posbias.measure.Scores;
import io.posbias.measure.SearchFacts;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.TableFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The CSV files beside result.json. Numbers are fractions at full precision; empty cells are unknown. */
public final class CsvFiles {
    /** One line for each bucket of each profile. */
    public static final String BUCKETS = "buckets.csv";

    /** One line for each judged query. */
    public static final String QUERIES = "queries.csv";

    /** Column of {@link #QUERIES}: evidence read, for searches that truncate or may. */
    static final String READ = "read";

    /** Column of {@link #QUERIES}: found by the first stage, for rerankers. */
    static final String POOLED = "first_stage";

    /** Separator of the buckets of a query, and of models. */
    public static final String JOINT = ";";

    private CsvFiles() {}

    private record BucketLine(Result result, Profile profile, BucketMean bucket) {
        String model() {
            return result.isPublished() ? result.model() + " (published)" : result.model();
        }
    }

    private static final Sheet<BucketLine> LINES = new Sheet<BucketLine>()
            .plain("model", BucketLine::model)
            .means("name of the model's recipe; published rows end in ` (published)`")
            .plain("dataset", line -> line.result().dataset())
            .plain("measure", line -> line.profile().measure())
            .plain("stratum", line -> line.profile().stratum())
            .plain("bucket", line -> line.bucket().bucket())
            .means("name of the position bucket; empty for all queries of a benchmark without evidence")
            .plain("queries", line -> line.bucket().queries())
            .means("queries of the bucket; a query of two buckets counts in both", "count")
            .plain("mean", line -> line.bucket().mean())
            .means("mean score of the bucket's queries", "fraction")
            .plain("thin", line -> line.bucket().thin())
            .means("true for a bucket with fewer queries than `--thin-below`", "true or false")
            .interval("mean", NumberFormat.FRACTION, line -> line.bucket().interval())
            .plain("query_mean", line -> line.profile().queryMean())
            .means("mean score over all queries of the stratum, the same on all lines of its buckets", "fraction")
            .plain("bucket_mean", line -> line.profile().bucketMean())
            .means("mean over the means of non-empty buckets, the same on all lines", "fraction")
            .plain("psi", line -> line.profile().psi().value())
            .means("Position Sensitivity Index: 1 - lowest / highest bucket mean, the same on all lines", "fraction")
            .interval("psi", NumberFormat.FRACTION, line -> line.profile().psi().interval())
            .plain("psi_p_value", line -> line.profile().psi().pValue())
            .means("p of the PSI, by random permutations of scores over positions", "p-value")
            .plain("psi_noise95", line -> line.profile().psi().noise95())
            .means("95th percentile of PSI under these permutations", "fraction")
            .plain("verdict", line -> line.profile().verdict())
            .means("verdict, with the bucket where at least 5 % of the evidence was truncated");

    public static Table buckets(List<Result> results) {
        return LINES.raw(results.stream()
                .flatMap(result -> result.profiles().stream()
                        .flatMap(profile -> lines(profile).map(bucket -> new BucketLine(result, profile, bucket))))
                .toList());
    }

    public static Sheet<?> bucketColumns() {
        return LINES;
    }

    /** Without buckets one line of all queries, with an empty name. */
    private static Stream<BucketMean> lines(Profile profile) {
        return profile.buckets().isEmpty()
                ? Stream.of(new BucketMean("", profile.queries(), profile.queryMean(), false))
                : profile.buckets().stream();
    }

    public static void writeBuckets(Path file, Result result) {
        write(file, buckets(List.of(result)));
    }

    static void writeQueries(Path file, CellQueries queries) {
        write(
                file,
                queryColumns(queries)
                        .raw(IntStream.range(0, queries.scores().queries().size())
                                .boxed()
                                .toList()));
    }

    /**
     * Columns of {@link #QUERIES} by index of the query. Buckets are joined by {@value #JOINT}; positions are in code
     * points.
     */
    public static Sheet<Integer> queryColumns(CellQueries cell) {
        Scores scores = cell.scores();
        QueryBuckets placement = cell.placement();
        SearchFacts facts = cell.facts();
        List<Query> queries = scores.queries();
        List<String> names = placement.bucketNames();
        Sheet<Integer> columns = new Sheet<Integer>()
                .plain("query_id", place -> queries.get(place).id())
                .means("identifier of the query")
                .plain(
                        "buckets",
                        place -> Arrays.stream(placement.bucketsOf(place))
                                .mapToObj(names::get)
                                .collect(Collectors.joining(JOINT)))
                .means("names of the query's position buckets, joined by `;`")
                .plain("stratum", placement::bandOf)
                .means("length band of the passage; empty without bands")
                .plain("passage", placement.clustering().passages()::get)
                .means("relevant passage; the first of several by identifier")
                .plain("start", place -> known(queries.get(place), Evidence::start))
                .means("start of the evidence in the passage, from 0", "code points")
                .plain("end", place -> known(queries.get(place), Evidence::end))
                .means("end of the evidence, exclusive", "code points")
                .plain("text_length", place -> known(queries.get(place), Evidence::textLength))
                .means("length of the passage", "code points")
                .plain("token_length", place -> known(queries.get(place), Evidence::tokenLength))
                .means("length of the passage, as the benchmark gives it", "tokens");
        if (!placement.clustering().articles().isEmpty()) {
            columns.plain("article", placement.clustering().articles()::get)
                    .means("title of the passage's article, with `--cluster article` only");
        }
        if (!facts.cuts().isEmpty()) {
            columns.plain(READ, place -> reads(facts, place))
                    .means(
                            "how much of the evidence the model reads: whole, part, none, unknown; empty without a span; "
                                    + "of several models joined by `;`");
        }
        BitSet missed = facts.missed();
        if (missed != null) {
            columns.plain(POOLED, place -> missed.get(place) ? 0 : 1)
                    .means("1 where a relevant passage is among the first stage's candidates", "1 or 0");
        }
        for (int measure = 0; measure < scores.measures().size(); measure++) {
            double[] values = scores.of(measure);
            columns.plain(scores.measures().get(measure).toString(), place -> values[place])
                    .means("score of the query; a column for each measure", "fraction");
        }
        return columns;
    }

    private static String reads(SearchFacts facts, int query) {
        return facts.cuts().stream()
                .map(cuts -> Objects.toString(cuts.read(query), ""))
                .collect(Collectors.joining(JOINT));
    }

    private static @Nullable Integer known(Query query, ToIntFunction<Evidence> field) {
        int number = query.evidence() == null ? Evidence.UNKNOWN : field.applyAsInt(query.evidence());
        return number == Evidence.UNKNOWN ? null : (Integer) number;
    }

    static void write(Path file, Table table) {
        IoErrors.run("write", file, () -> Files.writeString(file, TableFormat.CSV.render(table)));
    }
}

package io.posbias.score.result;

import io.posbias.base.files.IoErrors;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Tested;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.table.TableFormat;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.SearchFacts;
import io.posbias.score.measure.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
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

    /** A line of {@link #BUCKETS}. */
    record BucketLine(
            @Meaning("name of the model's recipe; published rows end in ` (published)`")
            String model,

            String dataset,
            String measure,
            String stratum,

            @Meaning("name of the position bucket; empty for all queries of a benchmark without evidence")
            String bucket,

            @Meaning("queries of the bucket; a query of two buckets counts in both")
            int queries,

            @Meaning("mean score of the bucket's queries") @Nullable
            Double mean,

            @Meaning("true for a bucket with fewer queries than `--thin-below`")
            boolean thin,

            @Meaning("both ends of the interval of `mean`") @Nullable
            Interval meanInterval,

            @Meaning("mean score over all queries of the stratum, the same on all lines of its buckets") @Nullable
            Double queryMean,

            @Meaning("mean over the means of non-empty buckets, the same on all lines") @Nullable
            Double bucketMean,

            @Meaning(
                    "Position Sensitivity Index: 1 - lowest / highest bucket mean, the same on all lines, with interval and p-value: by random permutations of scores over positions or, if queries share a passage, by a wild cluster bootstrap")
            @Nullable
            Tested psi,

            @Meaning("95th percentile of PSI under these permutations") @Nullable
            Double psiNoise95,

            @Meaning(
                    "what the profile says of the model, one word or `unread, position`, the larger first; the same on all lines")
            @Nullable
            String verdict) {
        static BucketLine of(Result result, Profile profile, BucketMean bucket) {
            Psi psi = profile.psi();
            return new BucketLine(
                    result.isPublished() ? result.model() + " (published)" : result.model(),
                    result.dataset(),
                    profile.measure(),
                    profile.stratum(),
                    bucket.bucket(),
                    bucket.queries(),
                    bucket.mean(),
                    bucket.thin(),
                    bucket.interval(),
                    profile.queryMean(),
                    profile.bucketMean(),
                    psi.value() == null ? null : new Tested(psi.value(), psi.interval(), psi.pValue()),
                    psi.noise95(),
                    Verdict.words(profile.verdicts()));
        }
    }

    public static final RecordCsv<BucketLine> BUCKET_LINES = new RecordCsv<>(BucketLine.class);

    public static Table buckets(List<Result> results) {
        return BUCKET_LINES.table(results.stream()
                .flatMap(result -> result.profiles().stream()
                        .flatMap(profile -> lines(profile).map(bucket -> BucketLine.of(result, profile, bucket))))
                .toList());
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

    /** A line of {@link #QUERIES}; positions are in code points. */
    private record QueryLine(
            @Meaning("identifier of the query") String queryId,

            @Meaning("names of the query's position buckets, joined by `;`")
            String buckets,

            @Meaning("length band of the passage; empty without bands")
            String stratum,

            @Meaning("relevant passage; the first of several by identifier")
            String passage,

            @Meaning(value = "start of the evidence in the passage, from 0", unit = "code points") @Nullable
            Integer start,

            @Meaning(value = "end of the evidence, exclusive", unit = "code points") @Nullable
            Integer end,

            @Meaning(value = "length of the passage", unit = "code points") @Nullable
            Integer textLength,

            @Meaning(value = "length of the passage, as the benchmark gives it", unit = "tokens") @Nullable
            Integer tokenLength,

            @Meaning("title of the passage's article, with `--cluster article` only")
            String article,

            @Meaning("how much of the evidence the model reads: whole, part, none, unknown; empty without a span; "
                    + "of several models joined by `;`")
            String read,

            @Meaning(value = "1 where a relevant passage is among the first stage's candidates", unit = "1 or 0")
            @Nullable
            Integer firstStage,

            @Meaning("score of the query; a column for each measure")
            Map<String, Double> scores) {}

    private static final RecordCsv<QueryLine> QUERY_LINES = new RecordCsv<>(QueryLine.class);

    static void writeQueries(Path file, CellQueries queries) {
        QUERY_LINES.write(file, queries.scores().queries().size(), query -> line(queries, query));
    }

    /** Describes the columns, with one of a measure. */
    public static List<RecordCsv.Described> queryColumns() {
        return QUERY_LINES.described(
                new QueryLine("", "", "", "", null, null, null, null, "", "", null, Map.of(Measures.DEFAULT, 0.0)));
    }

    /** Returns the values of a query's line by column. */
    public static Map<String, @Nullable Object> values(CellQueries cell, int query) {
        return QUERY_LINES.values(line(cell, query));
    }

    private static QueryLine line(CellQueries cell, int index) {
        Query query = cell.scores().queries().get(index);
        QueryBuckets placement = cell.placement();
        List<String> articles = placement.clustering().articles();
        BitSet missed = cell.facts().missed();
        return new QueryLine(
                query.id(),
                String.join(JOINT, placement.bucketNamesOf(index)),
                placement.bandOf(index),
                placement.clustering().passages().get(index),
                known(query, Evidence::start),
                known(query, Evidence::end),
                known(query, Evidence::textLength),
                known(query, Evidence::tokenLength),
                articles.isEmpty() ? "" : articles.get(index),
                reads(cell.facts(), index),
                missed == null ? null : (Integer) (missed.get(index) ? 0 : 1),
                cell.scores().ofQuery(index));
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

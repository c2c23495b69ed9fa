package io.posbias.result;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.measure.BucketMean;
import io.posbias.measure.Placement;
import io.posbias.measure.Profile;
import io.posbias.measure.Scores;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.TableFormat;
import io.posbias.table.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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

    /** Between the buckets of a query. */
    public static final String JOINT = ";";

    private CsvFiles() {}

    /** A bucket, with what is known of its profile: that is the same on all its lines. */
    private record Line(Result result, Profile profile, BucketMean bucket) {
        String model() {
            return result.isPublished() ? result.model() + " (published)" : result.model();
        }
    }

    private static final Sheet<Line> LINES = new Sheet<Line>()
            .plain("model", Line::model)
            .plain("dataset", line -> line.result().dataset())
            .plain("measure", line -> line.profile().measure())
            .plain("stratum", line -> line.profile().stratum())
            .plain("bucket", line -> line.bucket().bucket())
            .plain("queries", line -> line.bucket().queries())
            .plain("mean", line -> line.bucket().mean())
            .plain("thin", line -> line.bucket().thin())
            .interval("mean", Unit.FRACTION, line -> line.bucket().interval())
            .plain("query_mean", line -> line.profile().queryMean())
            .plain("bucket_mean", line -> line.profile().bucketMean())
            .plain("psi", line -> line.profile().psi().value())
            .interval("psi", Unit.FRACTION, line -> line.profile().psi().interval())
            .plain("psi_p_value", line -> line.profile().psi().pValue())
            .plain("psi_noise95", line -> line.profile().psi().noise95())
            .plain("verdict", line -> line.profile().verdict());

    /** The lines of {@link #BUCKETS} for some results. */
    public static Table buckets(List<Result> results) {
        return LINES.raw(results.stream()
                .flatMap(result -> result.profiles().stream()
                        .flatMap(profile -> lines(profile).map(bucket -> new Line(result, profile, bucket))))
                .toList());
    }

    /** Without buckets all queries, under no name: else a file would hold nothing. */
    private static Stream<BucketMean> lines(Profile profile) {
        return profile.buckets().isEmpty()
                ? Stream.of(new BucketMean("", profile.queries(), profile.queryMean(), false))
                : profile.buckets().stream();
    }

    /** Writes {@link #BUCKETS}. */
    public static void writeBuckets(Path file, Result result) {
        write(file, buckets(List.of(result)));
    }

    /** Writes {@link #QUERIES}. */
    public static void writeQueries(Path file, Scores scores, Placement placement) {
        write(
                file,
                queryColumns(scores, placement)
                        .raw(IntStream.range(0, scores.queries().size()).boxed().toList()));
    }

    /**
     * The columns of {@link #QUERIES}, of queries by their place: the query, its buckets joined by {@value #JOINT}, its band of
     * length, its relevant passage, its evidence in code points and tokens, that passage's article where it was read, and its
     * score for each measure.
     */
    public static Sheet<Integer> queryColumns(Scores scores, Placement placement) {
        List<Query> queries = scores.queries();
        List<String> names = placement.bucketNames();
        Sheet<Integer> columns = new Sheet<Integer>()
                .plain("query_id", place -> queries.get(place).id())
                .plain(
                        "buckets",
                        place -> Arrays.stream(placement.bucketsOf(place))
                                .mapToObj(names::get)
                                .collect(Collectors.joining(JOINT)))
                .plain("stratum", placement::bandOf)
                .plain("passage", placement.units().passages()::get)
                .plain("start", place -> known(queries.get(place), Evidence::start))
                .plain("end", place -> known(queries.get(place), Evidence::end))
                .plain("text_length", place -> known(queries.get(place), Evidence::textLength))
                .plain("token_length", place -> known(queries.get(place), Evidence::tokenLength));
        if (!placement.units().articles().isEmpty()) {
            columns.plain("article", placement.units().articles()::get);
        }
        for (int measure = 0; measure < scores.measures().size(); measure++) {
            double[] values = scores.of(measure);
            columns.plain(scores.measures().get(measure).toString(), place -> values[place]);
        }
        return columns;
    }

    private static @Nullable Integer known(Query query, ToIntFunction<Evidence> field) {
        int number = query.evidence() == null ? Evidence.UNKNOWN : field.applyAsInt(query.evidence());
        return number == Evidence.UNKNOWN ? null : (Integer) number;
    }

    static void write(Path file, Table table) {
        try {
            Files.writeString(file, TableFormat.CSV.render(table));
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
    }
}

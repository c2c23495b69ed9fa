package io.posbias.result;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.measure.BucketMean;
import io.posbias.measure.Measure;
import io.posbias.measure.Placement;
import io.posbias.measure.Profile;
import io.posbias.measure.Scores;
import io.posbias.table.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The CSV files beside result.json. Numbers are fractions at full precision; empty cells are unknown. */
public final class CsvFiles {
    /** One line for each bucket of each profile. */
    public static final String BUCKETS = "buckets.csv";
    /** One line for each judged query. */
    public static final String QUERIES = "queries.csv";

    private CsvFiles() {}

    /** The columns of {@link #BUCKETS}. */
    public static List<String> bucketColumns() {
        return List.of("model", "dataset", "measure", "stratum", "bucket", "queries", "mean", "thin");
    }

    /** The lines of {@link #BUCKETS} for a result. */
    public static List<List<String>> bucketLines(Result result) {
        List<List<String>> lines = new ArrayList<>();
        for (Profile profile : result.profiles()) {
            for (BucketMean bucket : profile.buckets()) {
                lines.add(List.of(
                        result.model(),
                        result.dataset(),
                        profile.measure(),
                        profile.stratum(),
                        bucket.bucket(),
                        String.valueOf(bucket.queries()),
                        number(bucket.mean()),
                        String.valueOf(bucket.thin())));
            }
        }
        return lines;
    }

    /** Writes {@link #BUCKETS}. */
    public static void writeBuckets(Path file, Result result) {
        write(file, lines -> {
            lines.accept(bucketColumns());
            bucketLines(result).forEach(lines);
        });
    }

    /**
     * Writes {@link #QUERIES}: the query, its buckets joined by {@code ;}, its band of length, its evidence in code
     * points and tokens, and its score for each measure.
     */
    public static void writeQueries(Path file, Scores scores, Placement placement) {
        write(file, lines -> {
            List<String> header = new ArrayList<>(
                    List.of("query_id", "buckets", "stratum", "start", "end", "text_length", "token_length"));
            scores.measures().stream().map(Measure::toString).forEach(header::add);
            lines.accept(header);
            double[][] values = new double[scores.measures().size()][];
            Arrays.setAll(values, scores::of);
            for (int q = 0; q < scores.queries().size(); q++) {
                lines.accept(queryLine(scores.queries().get(q), q, placement, values));
            }
        });
    }

    private static List<String> queryLine(Query query, int place, Placement placement, double[][] values) {
        List<String> names = placement.bucketNames();
        List<String> cells = new ArrayList<>();
        cells.add(query.id());
        cells.add(Arrays.stream(placement.bucketsOf(place)).mapToObj(names::get).collect(Collectors.joining(";")));
        cells.add(placement.bandOf(place));
        Evidence evidence = query.evidence();
        cells.add(evidence == null ? "" : known(evidence.start()));
        cells.add(evidence == null ? "" : known(evidence.end()));
        cells.add(evidence == null ? "" : known(evidence.textLength()));
        cells.add(evidence == null ? "" : known(evidence.tokenLength()));
        for (double[] measure : values) {
            cells.add(number(measure[place]));
        }
        return cells;
    }

    private static String known(int number) {
        return number == Evidence.UNKNOWN ? "" : String.valueOf(number);
    }

    private static String number(@Nullable Double number) {
        return number == null ? "" : number.toString();
    }

    private static void write(Path file, Consumer<Consumer<List<String>>> body) {
        try {
            Files.writeString(file, CsvTable.lines(body));
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
    }
}

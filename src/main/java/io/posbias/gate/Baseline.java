package io.posbias.gate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.BadInputException;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.Location;
import io.posbias.Staging;
import io.posbias.measure.BucketMean;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.Profile;
import io.posbias.result.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a result is expected to show, as a JSON file with a tolerance for each where it is not the usual one.
 *
 * @param tolerance the usual tolerance as a fraction
 * @param numbers what is expected
 */
public record Baseline(double tolerance, List<Expected> numbers) {
    /** The schema this version writes and reads. */
    public static final String SCHEMA = "posbias/baseline/1";

    /** The number of PSI with the content held fixed. */
    static final String CPSI = "cpsi";

    /** Half a point: below what a table shows as a difference worth naming. */
    public static final double TOLERANCE = 0.005;

    /** Copies the numbers. */
    public Baseline {
        numbers = List.copyOf(numbers);
    }

    /**
     * Which number of a profile.
     *
     * @param model whose
     * @param dataset on what
     * @param measure the measure's name
     * @param stratum {@code all} or a band of length
     * @param number {@code query_mean}, {@code bucket_mean}, {@code psi}, {@code cpsi} or a bucket's name after {@code bucket }
     */
    public record Place(String model, String dataset, String measure, String stratum, String number) {
        /** The place in words. */
        @Override
        public String toString() {
            return cell() + ", " + withinCell();
        }

        /** The measure, the stratum and the number. */
        String withinCell() {
            return measure + ", " + stratum + ", " + number;
        }

        /** The model on the dataset. */
        String cell() {
            return model + " on " + dataset;
        }
    }

    /**
     * A number that is expected.
     *
     * @param place which one
     * @param value as a fraction; null where it is undefined
     * @param queries behind it; null when the baseline does not say
     * @param tolerance its own tolerance; null for the usual one
     */
    public record Expected(
            @JsonUnwrapped Place place,
            @Nullable Double value,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Integer queries,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double tolerance) {}

    /** All numbers of some results. */
    public static Baseline of(List<Result> results, double tolerance) {
        List<Expected> numbers = new ArrayList<>();
        for (Result result : results) {
            for (Profile profile : result.profiles()) {
                numbers.add(number(result, profile, "query_mean", profile.queryMean(), profile.queries()));
                numbers.add(number(result, profile, "bucket_mean", profile.bucketMean(), profile.queries()));
                numbers.add(number(result, profile, "psi", profile.psi().value(), profile.queries()));
                ContentFixed fixed = profile.contentFixed();
                if (fixed != null) {
                    numbers.add(number(result, profile, CPSI, fixed.cpsi().value(), fixed.queries()));
                }
                for (BucketMean bucket : profile.buckets()) {
                    numbers.add(number(result, profile, "bucket " + bucket.bucket(), bucket.mean(), bucket.queries()));
                }
            }
        }
        return new Baseline(tolerance, numbers);
    }

    private static Expected number(Result result, Profile profile, String number, @Nullable Double value, int queries) {
        Place place = new Place(result.model(), result.dataset(), profile.measure(), profile.stratum(), number);
        return new Expected(place, value, queries, null);
    }

    /** Reads a baseline. */
    public static Baseline read(Path file) {
        Fields document = Json.readJson(file);
        document.refuseOtherSchema(SCHEMA, "a baseline has " + SCHEMA + "; 'posbias gate --write' makes one");
        List<Expected> numbers =
                document.records("numbers").stream().map(Baseline::number).toList();
        if (numbers.isEmpty()) {
            throw new BadInputException(
                    Location.of(file), "holds no number", "'posbias gate --write' makes a baseline");
        }
        return new Baseline(document.number("tolerance", TOLERANCE), numbers);
    }

    private static Expected number(Fields fields) {
        return new Expected(
                new Place(
                        fields.text("model"),
                        fields.text("dataset"),
                        fields.text("measure"),
                        fields.text("stratum"),
                        fields.text("number")),
                fields.optionalNumber("value"),
                fields.has("queries") ? (Integer) fields.integer("queries") : null,
                fields.optionalNumber("tolerance"));
    }

    /** Writes the baseline, whole or not at all. */
    public void write(Path file) {
        Staging.writeFile(file, Json.toBytes(new Document(SCHEMA, tolerance, numbers)));
    }

    private record Document(String schema, double tolerance, List<Expected> numbers) {}
}

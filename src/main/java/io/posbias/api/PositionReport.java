package io.posbias.api;

import io.posbias.Staging;
import io.posbias.evaluate.Evaluation;
import io.posbias.measure.Bias;
import io.posbias.measure.Profile;
import io.posbias.measure.Verdict;
import io.posbias.report.profile.ProfileTables;
import io.posbias.result.FinishedCell;
import io.posbias.result.Result;
import io.posbias.result.ResultFile;
import io.posbias.result.ResultFolder;
import io.posbias.table.TableFormat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an evaluation found, on its first measure and over all queries; all else is in {@link #json()}. As a text it is the
 * table that {@code posbias eval} prints.
 */
public final class PositionReport {
    private final Evaluation.EvaluatedCell outcome;

    PositionReport(Evaluation.EvaluatedCell outcome) {
        this.outcome = outcome;
    }

    /**
     * The queries whose evidence lies at one position.
     *
     * @param name of the bucket, such as {@code 0-20%}
     * @param queries how many
     * @param mean of the measure over them, 0 to 1; empty when there are none
     */
    public record Bucket(String name, int queries, OptionalDouble mean) {}

    /** The recipe's name, or what the search was called. */
    public String model() {
        return outcome.result().model();
    }

    /** The benchmark's name. */
    public String benchmark() {
        return outcome.result().dataset();
    }

    /** The measure that all numbers here are of, such as {@code nDCG@10}. */
    public String measure() {
        return profile().measure();
    }

    /** How many queries were judged. */
    public int queries() {
        return profile().queries();
    }

    /** The mean over all queries, 0 to 1; empty when there are none. */
    public OptionalDouble mean() {
        return number(profile().queryMean());
    }

    /** The buckets, from the first position to the last; none where no query says where its evidence is. */
    public List<Bucket> buckets() {
        return profile().buckets().stream()
                .map(bucket -> new Bucket(bucket.bucket(), bucket.queries(), number(bucket.mean())))
                .toList();
    }

    /** The Position Sensitivity Index, 1 - min / max over the buckets; empty where it is undefined. */
    public OptionalDouble psi() {
        return number(profile().psi().value());
    }

    /** What chance alone gives PSI in one of twenty cases; a PSI below it tells nothing. */
    public OptionalDouble noise95() {
        return number(profile().psi().noise95());
    }

    /** The p-value of the test that positions do not matter. */
    public OptionalDouble pValue() {
        return number(profile().psi().pValue());
    }

    /**
     * Whether positions differ: {@code differ}, {@code none} (a PSI of 0.10 would have been seen) or {@code undecided} (too
     * few queries). With the content held fixed, the bias: {@code primacy}, {@code recency}, {@code truncation},
     * {@code none} or {@code undecided}; {@code too few} where there is no verdict. Empty where no query says where its evidence is.
     */
    public Optional<String> verdict() {
        return Optional.ofNullable(word()).map(Enum::toString);
    }

    /** The verdict with its thresholds, for people; empty where there is none. */
    public String meaning() {
        double confidence = outcome.result().settings().confidence();
        Enum<?> word = word();
        return word instanceof Verdict verdict
                ? verdict.meaning(confidence)
                : word instanceof Bias bias
                        ? bias.meaning(
                                confidence,
                                Objects.requireNonNull(profile().contentFixed()).equivalence())
                        : "";
    }

    /** Whether the content was held fixed, without which a difference may be one of content. */
    public boolean isContentFixed() {
        return profile().contentFixed() != null;
    }

    /** The document of {@code posbias eval --format json}, by the schema posbias/result/2. */
    public String json() {
        return new String(ResultFile.toBytes(List.of(outcome.result())), StandardCharsets.UTF_8);
    }

    /**
     * Writes what {@code posbias eval} writes: result.json, queries.csv, buckets.csv and the run, which {@code posbias
     * report}, {@code compare} and {@code gate} read, and {@link PositionAssertions#assertNotWorseThan}.
     *
     * @param folder of this result alone; what is in it is replaced
     */
    public void write(Path folder) {
        Evaluation.EvaluatedCell own = outcome;
        try (Staging staging = new ResultFolder(folder).staging()) {
            ResultFolder.write(staging, own.result(), own.run(), own.scores(), own.placement(), own.places(), 1);
        }
    }

    @Override
    public String toString() {
        return ProfileTables.of(List.of(outcome.result()), List.of(), false, false).stream()
                .map(TableFormat.TABLE::render)
                .collect(Collectors.joining("\n"));
    }

    /** The queries with their scores, as a file of them would be read. */
    FinishedCell.Queries cell() {
        return new FinishedCell.Queries(outcome.result(), outcome.scores(), outcome.placement(), outcome.places());
    }

    Result result() {
        return outcome.result();
    }

    @Nullable
    Enum<?> word() {
        return profile().word();
    }

    private Profile profile() {
        return outcome.result().profiles().getFirst();
    }

    private static OptionalDouble number(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}

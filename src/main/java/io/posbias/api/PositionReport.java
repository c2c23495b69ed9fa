package io.posbias.api;

import io.posbias.Staging;
import io.posbias.evaluate.Evaluation;
import io.posbias.measure.Bias;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.PositionLoss;
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

    /**
     * The net loss at the back with the content held fixed: 1 - back / front.
     *
     * @param value at most 1; below 0 where the back scores higher
     * @param low lower end of its interval
     * @param high upper end
     * @param front mean with the evidence in front
     * @param back mean with the evidence at the back
     */
    public record LossAtBack(double value, double low, double high, double front, double back) {}

    /**
     * The place of the evidence with the lowest mean, with the content held fixed.
     *
     * @param place its number, from 1
     * @param loss mean of all places minus the mean of this one
     * @param low lower end of its interval, simultaneous over all places
     * @param high upper end
     */
    public record WorstPlace(int place, double loss, double low, double high) {}

    /**
     * Queries found among the first ten with the evidence at one end alone, with the content held fixed.
     *
     * @param queries all of them
     * @param frontOnly found with the evidence in front alone
     * @param backOnly found with the evidence at the back alone
     */
    public record Flips(int queries, int frontOnly, int backOnly) {}

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

    /** The net loss at the back; empty where the content was not held fixed, or the mean of an end is 0. */
    public Optional<LossAtBack> lossAtBack() {
        return loss().flatMap(loss -> Optional.ofNullable(loss.score().loss())
                .map(own -> new LossAtBack(
                        own.value(),
                        own.interval().low(),
                        own.interval().high(),
                        loss.score().front(),
                        loss.score().back())));
    }

    /** The worst place; empty where the content was not held fixed. */
    public Optional<WorstPlace> worstPlace() {
        return loss().map(PositionLoss::worst)
                .map(own -> new WorstPlace(
                        own.place(),
                        own.loss(),
                        own.interval().low(),
                        own.interval().high()));
    }

    /** The flips; empty where the content was not held fixed. */
    public Optional<Flips> flips() {
        return loss().flatMap(loss -> Optional.ofNullable(loss.flips()))
                .map(own -> new Flips(own.queries(), own.frontOnly(), own.backOnly()));
    }

    private Optional<PositionLoss> loss() {
        return Optional.ofNullable(profile().contentFixed()).map(ContentFixed::loss);
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
        return ProfileTables.of(List.of(outcome.result()), List.of(), ProfileTables.Content.USUAL).stream()
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

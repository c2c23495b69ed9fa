package io.posbias.api;

import io.posbias.base.files.Staging;
import io.posbias.base.process.Session;
import io.posbias.base.stats.Estimate;
import io.posbias.base.table.TableFormat;
import io.posbias.report.profile.ProfileTables;
import io.posbias.run.EvaluatedCell;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Direction;
import io.posbias.score.measure.LossParts;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.Answer;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Result of an evaluation for its first measure; {@link #json()} has the rest, {@link #toString()} is the table of
 * {@code posbias eval}.
 */
public final class PositionReport {
    private final EvaluatedCell outcome;

    PositionReport(EvaluatedCell outcome) {
        this.outcome = outcome;
    }

    /**
     * Queries with evidence at one position.
     *
     * @param name for example {@code 0-20%}
     * @param mean from 0 to 1; empty without queries
     */
    public record Bucket(String name, int queries, OptionalDouble mean) {}

    /**
     * Net loss at the back with fixed content, 1 - back / front, with its interval.
     *
     * @param value at most 1; negative if the back scores higher
     */
    public record LossAtBack(double value, double low, double high, double front, double back) {}

    /**
     * The place of the evidence with the lowest mean, with fixed content.
     *
     * @param place counted from 1
     * @param loss mean of all places minus the mean of this one; its interval is simultaneous over all places
     */
    public record WorstPlace(int place, double loss, double low, double high) {}

    /** Queries that are found in the top ten with the evidence at only one end, with fixed content. */
    public record Flips(int queries, int frontOnly, int backOnly) {}

    /** The recipe's name, or the search engine's. */
    public String model() {
        return outcome.result().model();
    }

    public String benchmark() {
        return outcome.result().dataset();
    }

    /** For example {@code nDCG@10}. */
    public String measure() {
        return profile().measure();
    }

    /** Judged queries. */
    public int queries() {
        return profile().queries();
    }

    /** Mean over all queries, 0 to 1; empty without queries. */
    public OptionalDouble mean() {
        return number(profile().queryMean());
    }

    /** Buckets from first to last position; empty without evidence positions. */
    public List<Bucket> buckets() {
        return profile().buckets().stream()
                .map(bucket -> new Bucket(bucket.bucket(), bucket.queries(), number(bucket.mean())))
                .toList();
    }

    /** Position Sensitivity Index, 1 - min / max over the buckets; empty if undefined. */
    public OptionalDouble psi() {
        return number(profile().psi().value());
    }

    /** The 95th percentile of PSI under the null hypothesis. */
    public OptionalDouble noise95() {
        return number(profile().psi().noise95());
    }

    /** The p-value of PSI: by permutations or, if queries share a passage, a wild cluster bootstrap. */
    public OptionalDouble pValue() {
        return number(profile().psi().pValue());
    }

    /**
     * The verdict: {@code too few}, {@code too easy} or {@code too hard}, {@code unread}, {@code position} or both as in {@code
     * unread, position}, {@code content}, {@code even} or {@code open}; empty without evidence positions.
     */
    public Optional<String> verdict() {
        return Optional.of(Verdict.words(verdicts())).filter(words -> !words.isEmpty());
    }

    /** The verdict in words, with its numbers; may be empty. */
    public String answer() {
        return Answer.of(outcome.result(), profile()).words();
    }

    /** True if the content was held fixed; otherwise differences may come from content. */
    public boolean isContentFixed() {
        return profile().contentFixed() != null;
    }

    /** Net loss at the back; empty without fixed content, or if an end's mean is 0. */
    public Optional<LossAtBack> lossAtBack() {
        return loss().flatMap(loss -> Optional.ofNullable(loss.score().loss())
                .map(own -> new LossAtBack(
                        own.value(),
                        own.interval().low(),
                        own.interval().high(),
                        loss.score().front(),
                        loss.score().back())));
    }

    /** Part of the net loss at the back by position; empty if all is read, or if it is unknown. */
    public Optional<LossAtBack> lossByPosition() {
        return parts().flatMap(parts -> Optional.ofNullable(parts.position()).map(part -> of(parts, part)));
    }

    /** Part of the net loss at the back by not reading; empty if all is read, or if it is unknown. */
    public Optional<LossAtBack> lossByNotReading() {
        return parts().flatMap(parts -> Optional.ofNullable(parts.notReading()).map(part -> of(parts, part)));
    }

    private Optional<LossParts> parts() {
        return Optional.ofNullable(profile().contentFixed()).map(ContentFixed::parts);
    }

    private static LossAtBack of(LossParts parts, LossParts.Part part) {
        Estimate share = parts.share(part.points());
        return new LossAtBack(
                share.value(),
                share.interval().low(),
                share.interval().high(),
                parts.front(),
                parts.front() - part.points().value());
    }

    /** Worst place; empty without fixed content. */
    public Optional<WorstPlace> worstPlace() {
        return loss().map(PositionLoss::worst)
                .map(own -> new WorstPlace(
                        own.place(),
                        own.loss(),
                        own.interval().low(),
                        own.interval().high()));
    }

    /** Flips; empty without fixed content. */
    public Optional<Flips> flips() {
        return loss().flatMap(loss -> Optional.ofNullable(loss.flips()))
                .map(own -> new Flips(own.queries(), own.frontOnly(), own.backOnly()));
    }

    private Optional<PositionLoss> loss() {
        return Optional.ofNullable(profile().contentFixed()).map(ContentFixed::loss);
    }

    /** The result as JSON, by the schema posbias/result/5. */
    public String json() {
        return new String(ResultFile.toBytes(List.of(outcome.result())), StandardCharsets.UTF_8);
    }

    /**
     * Writes result.json, queries.csv, buckets.csv and the run, the files of {@code posbias eval}.
     *
     * @param folder for this result only; its files are replaced
     */
    public void write(Path folder) {
        try (Staging staging = new ResultFolder(folder).staging(Session.quiet(Map.of(), folder))) {
            ResultFolder.write(staging, outcome.queries(), outcome.run(), 1);
        }
    }

    @Override
    public String toString() {
        return ProfileTables.of(List.of(outcome.result()), List.of(), ProfileTables.Content.USUAL).stream()
                .map(TableFormat.TABLE::render)
                .collect(Collectors.joining("\n"));
    }

    CellQueries cell() {
        return outcome.queries();
    }

    Result result() {
        return outcome.result();
    }

    List<Verdict> verdicts() {
        return profile().verdicts();
    }

    /** True if the observed positions differ beyond noise, by position or by content. */
    boolean differs() {
        Direction direction = profile().direction();
        return direction != null && direction.outcome() == TestOutcome.DIFFER;
    }

    private Profile profile() {
        return outcome.result().profiles().getFirst();
    }

    private static OptionalDouble number(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}

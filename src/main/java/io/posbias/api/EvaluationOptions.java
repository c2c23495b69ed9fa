package io.posbias.api;

import io.posbias.base.process.UsageException;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.Depth;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Settings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Options of an evaluation; {@link #defaults()} equal those of {@code posbias eval}.
 *
 * @param settings measures, buckets and statistics; the first measure decides the verdict
 * @param contentFixed number of queries that are also scored with their evidence moved; 0 for none; recipes only
 * @param threads do not affect results
 * @param home folder of benchmarks, models and vectors; empty for POSBIAS_HOME, else the user's cache
 */
public record EvaluationOptions(Settings settings, int contentFixed, int threads, Optional<Path> home) {
    public static EvaluationOptions defaults() {
        return new EvaluationOptions(Settings.USUAL, 0, Runtime.getRuntime().availableProcessors(), Optional.empty());
    }

    private EvaluationOptions with(Settings others) {
        return new EvaluationOptions(others, contentFixed, threads, home);
    }

    /** @param depth passages retrieved per query, at least 1 */
    public EvaluationOptions withK(int depth) {
        return with(settings.with("k", depth));
    }

    /** @param names for example {@code nDCG@10} */
    public EvaluationOptions withMeasures(String... names) {
        return with(settings.withMeasures(Measures.parseAll(String.join(",", names))));
    }

    /** @param specification as {@code --buckets} */
    public EvaluationOptions withBuckets(String specification) {
        return with(settings.withBuckets(Bucketing.parse(specification)));
    }

    /** @param number of permutations and bootstrap draws, at least 1 */
    public EvaluationOptions withDraws(int number) {
        return with(settings.withDraws(number));
    }

    public EvaluationOptions withSeed(long other) {
        return with(settings.withSeed(other));
    }

    /** @param level of intervals, between 0 and 1 */
    public EvaluationOptions withConfidence(double level) {
        return with(settings.withConfidence(level));
    }

    public EvaluationOptions withCluster(Clustering.By unit) {
        return with(settings.withCluster(unit));
    }

    public EvaluationOptions withContentFixed(int queries) {
        return new EvaluationOptions(settings, queries, threads, home);
    }

    public EvaluationOptions withThreads(int number) {
        return new EvaluationOptions(settings, contentFixed, number, home);
    }

    public EvaluationOptions withHome(Path folder) {
        return new EvaluationOptions(settings, contentFixed, threads, Optional.of(folder));
    }

    Settings checked() {
        if (settings.draws() < 1 || threads < 1 || contentFixed < 0) {
            throw new UsageException("draws and threads must be at least 1, and contentFixed at least 0");
        }
        return Depth.checked(settings, "k");
    }
}

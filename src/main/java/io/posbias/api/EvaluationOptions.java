package io.posbias.api;

import io.posbias.UsageException;
import io.posbias.evaluate.Scoring;
import io.posbias.measure.Bias;
import io.posbias.measure.Clustering;
import io.posbias.measure.Measures;
import io.posbias.measure.Profiler;
import io.posbias.position.Bucketing;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options of an evaluation; {@link #defaults()} equal those of {@code posbias eval}.
 *
 * @param k passages retrieved per query, at least 1
 * @param measures for example {@code nDCG@10}; the first one decides the verdict
 * @param buckets as {@code --buckets}; empty for the benchmark's
 * @param contentFixed number of queries that are also scored with their evidence moved; 0 for none; recipes only
 * @param draws for noise and intervals, at least 1
 * @param threads do not affect results
 * @param home folder of benchmarks, models and vectors; empty for POSBIAS_HOME, else the user's cache
 */
public record EvaluationOptions(
        int k,
        List<String> measures,
        Optional<String> buckets,
        int contentFixed,
        int draws,
        long seed,
        int threads,
        Optional<Path> home) {
    private static final int K = 100;
    private static final long SEED = 42;

    public EvaluationOptions {
        measures = List.copyOf(measures);
    }

    public static EvaluationOptions defaults() {
        return new EvaluationOptions(
                K,
                List.of(Measures.DEFAULT),
                Optional.empty(),
                0,
                Profiler.DRAWS,
                SEED,
                Runtime.getRuntime().availableProcessors(),
                Optional.empty());
    }

    public EvaluationOptions withK(int depth) {
        return new EvaluationOptions(depth, measures, buckets, contentFixed, draws, seed, threads, home);
    }

    public EvaluationOptions withMeasures(String... names) {
        return new EvaluationOptions(k, List.of(names), buckets, contentFixed, draws, seed, threads, home);
    }

    public EvaluationOptions withBuckets(String specification) {
        return new EvaluationOptions(k, measures, Optional.of(specification), contentFixed, draws, seed, threads, home);
    }

    public EvaluationOptions withContentFixed(int queries) {
        return new EvaluationOptions(k, measures, buckets, queries, draws, seed, threads, home);
    }

    public EvaluationOptions withDraws(int number) {
        return new EvaluationOptions(k, measures, buckets, contentFixed, number, seed, threads, home);
    }

    public EvaluationOptions withSeed(long other) {
        return new EvaluationOptions(k, measures, buckets, contentFixed, draws, other, threads, home);
    }

    public EvaluationOptions withThreads(int number) {
        return new EvaluationOptions(k, measures, buckets, contentFixed, draws, seed, number, home);
    }

    public EvaluationOptions withHome(Path folder) {
        return new EvaluationOptions(k, measures, buckets, contentFixed, draws, seed, threads, Optional.of(folder));
    }

    Scoring scoring() {
        if (draws < 1 || threads < 1 || contentFixed < 0) {
            throw new UsageException("draws and threads must be at least 1, and contentFixed at least 0");
        }
        @Nullable Bucketing bucketing = buckets.map(Bucketing::parse).orElse(null);
        Scoring scoring = new Scoring(
                Measures.parseAll(String.join(",", measures)),
                bucketing,
                Profiler.THIN_BELOW,
                draws,
                seed,
                Profiler.CONFIDENCE,
                Bias.EQUIVALENCE,
                Clustering.By.PASSAGE,
                threads);
        scoring.checkDepth(k, "k");
        return scoring;
    }
}

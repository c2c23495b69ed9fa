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
 * What may be set of an evaluation; {@link #defaults()} are those of {@code posbias eval}, and give the same numbers.
 *
 * @param k how many passages are retrieved for a query at most, at least 1
 * @param measures as {@code --measures} takes them, such as {@code nDCG@10}; the first decides
 * @param buckets as {@code --buckets} takes them; empty for the benchmark's own
 * @param contentFixed how many queries are also scored with their evidence at other places of its own passage, which tells
 *     position from content; 0 for none. Only recipes can be asked so
 * @param draws behind the noise of PSI and behind intervals, at least 1
 * @param seed of these draws
 * @param threads how many threads may work; numbers do not depend on it
 * @param home where benchmarks, models and vectors are kept; empty for POSBIAS_HOME, else the user's cache
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

    /** Copies the measures. */
    public EvaluationOptions {
        measures = List.copyOf(measures);
    }

    /** Those of {@code posbias eval}. */
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

    /** The same with another depth. */
    public EvaluationOptions withK(int depth) {
        return new EvaluationOptions(depth, measures, buckets, contentFixed, draws, seed, threads, home);
    }

    /** The same with other measures. */
    public EvaluationOptions withMeasures(String... names) {
        return new EvaluationOptions(k, List.of(names), buckets, contentFixed, draws, seed, threads, home);
    }

    /** The same with other buckets than the benchmark's own. */
    public EvaluationOptions withBuckets(String specification) {
        return new EvaluationOptions(k, measures, Optional.of(specification), contentFixed, draws, seed, threads, home);
    }

    /** The same with the content of so many queries held fixed. */
    public EvaluationOptions withContentFixed(int queries) {
        return new EvaluationOptions(k, measures, buckets, queries, draws, seed, threads, home);
    }

    /** The same with another number of draws. */
    public EvaluationOptions withDraws(int number) {
        return new EvaluationOptions(k, measures, buckets, contentFixed, number, seed, threads, home);
    }

    /** The same with another seed. */
    public EvaluationOptions withSeed(long other) {
        return new EvaluationOptions(k, measures, buckets, contentFixed, draws, other, threads, home);
    }

    /** The same with another number of threads. */
    public EvaluationOptions withThreads(int number) {
        return new EvaluationOptions(k, measures, buckets, contentFixed, draws, seed, number, home);
    }

    /** The same with another folder for benchmarks, models and vectors. */
    public EvaluationOptions withHome(Path folder) {
        return new EvaluationOptions(k, measures, buckets, contentFixed, draws, seed, threads, Optional.of(folder));
    }

    /** @throws io.posbias.UsageException if it makes no sense */
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

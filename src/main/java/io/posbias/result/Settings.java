package io.posbias.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import io.posbias.measure.Clustering;
import io.posbias.measure.Profiler;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for: with the same settings, recipe and benchmark a result is the same again.
 *
 * @param k how many passages a ranking holds at most; 0 for a run that was made elsewhere
 * @param measures the measures' names
 * @param buckets the bucketing, as {@code --buckets} takes it
 * @param thinBelow fewer queries make a bucket thin
 * @param draws random permutations behind the noise of PSI, and bootstrap draws behind intervals
 * @param seed of both
 * @param confidence of intervals; 0 for results without any
 * @param cluster which queries count as one for intervals and tests; by themselves in results that do not say
 * @param contentFixed which queries were scored with their evidence at other places, and how; null for none
 */
public record Settings(
        int k,
        List<String> measures,
        String buckets,
        int thinBelow,
        int draws,
        long seed,
        @JsonSetter double confidence,
        @JsonSetter Clustering.By cluster,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String contentFixed) {
    /** Copies the measures. */
    public Settings {
        measures = List.copyOf(measures);
        // Jackson gives null for what a file lacks.
        cluster = Objects.requireNonNullElse(cluster, Clustering.By.NONE);
    }

    /** The same with other measures. */
    public Settings with(List<String> others) {
        return new Settings(k, others, buckets, thinBelow, draws, seed, confidence, cluster, contentFixed);
    }

    /** The same with content held fixed so. */
    public Settings withFixed(@Nullable String fixed) {
        return new Settings(k, measures, buckets, thinBelow, draws, seed, confidence, cluster, fixed);
    }

    /** What makes profiles as they were asked for. */
    public Profiler profiler(int threads) {
        return new Profiler(thinBelow, draws, seed, confidence, threads);
    }

    /** Whether they agree in all but measures and content held fixed. */
    public boolean isLike(Settings other) {
        return withFixed(other.contentFixed).equals(other.with(measures));
    }

    /**
     * Where a finished result differs from these settings, which are wanted now; measures and content held fixed that it has
     * beyond them are no difference.
     */
    public List<Differences.Difference> differences(Settings found) {
        boolean fixing = contentFixed != null;
        boolean covered = found.measures.containsAll(measures)
                && (!fixing || measures.getFirst().equals(found.measures.getFirst()));
        Settings wanted = fixing ? this : withFixed(found.contentFixed);
        return Differences.of(covered ? wanted.with(found.measures) : wanted, found);
    }
}

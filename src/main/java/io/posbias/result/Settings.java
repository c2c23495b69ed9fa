package io.posbias.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import io.posbias.measure.Clustering;
import io.posbias.measure.Profiler;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an evaluation; equal settings, recipe and benchmark give equal results.
 *
 * @param k maximum number of passages of a ranking; 0 for a run of another system
 * @param buckets as of {@code --buckets}
 * @param confidence of intervals; 0 without intervals
 * @param cluster none in results of earlier versions
 * @param contentFixed method of holding the content fixed, or null
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
    public Settings {
        measures = List.copyOf(measures);
        // Jackson gives null for what a file lacks.
        cluster = Objects.requireNonNullElse(cluster, Clustering.By.NONE);
    }

    /** Returns settings with other measures. */
    public Settings with(List<String> others) {
        return new Settings(k, others, buckets, thinBelow, draws, seed, confidence, cluster, contentFixed);
    }

    /** Returns settings with content held fixed. */
    public Settings withFixed(@Nullable String fixed) {
        return new Settings(k, measures, buckets, thinBelow, draws, seed, confidence, cluster, fixed);
    }

    /** Returns a profiler with these settings. */
    public Profiler profiler(int threads) {
        return new Profiler(thinBelow, draws, seed, confidence, threads);
    }

    /** Returns true if all but measures and content held fixed are equal. */
    public boolean isLike(Settings other) {
        return withFixed(other.contentFixed).equals(other.with(measures));
    }

    /**
     * Differences between these settings and those of a finished result, which may have further measures and content held
     * fixed.
     */
    public List<Differences.Difference> differences(Settings found) {
        boolean fixing = contentFixed != null;
        boolean covered = found.measures.containsAll(measures)
                && (!fixing || measures.getFirst().equals(found.measures.getFirst()));
        Settings wanted = fixing ? this : withFixed(found.contentFixed);
        return Differences.of(covered ? wanted.with(found.measures) : wanted, found);
    }
}

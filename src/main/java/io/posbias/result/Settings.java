package io.posbias.result;

import com.fasterxml.jackson.annotation.JsonSetter;
import java.util.List;

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
 */
public record Settings(
        int k,
        List<String> measures,
        String buckets,
        int thinBelow,
        int draws,
        long seed,
        @JsonSetter double confidence) {
    /** Copies the measures. */
    public Settings {
        measures = List.copyOf(measures);
    }
}

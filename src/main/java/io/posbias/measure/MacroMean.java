package io.posbias.measure;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The plain mean of several benchmarks' numbers, each benchmark counting once however many queries it has: PosIR's way
 * over languages.
 *
 * @param benchmarks how many there are
 * @param queryMean mean of the query means; null when one of them is missing
 * @param bucketMean mean of the bucket means; null likewise
 * @param psi mean of the PSI values, which is not the PSI of the means; null likewise
 */
public record MacroMean(
        int benchmarks,
        @Nullable Double queryMean,
        @Nullable Double bucketMean,
        @Nullable Double psi) {

    /** The mean over profiles of the same measure and stratum. */
    public static MacroMean of(List<Profile> profiles) {
        return new MacroMean(
                profiles.size(),
                mean(profiles, Profile::queryMean),
                mean(profiles, Profile::bucketMean),
                mean(profiles, profile -> profile.psi().value()));
    }

    private static @Nullable Double mean(List<Profile> profiles, Function<Profile, @Nullable Double> number) {
        List<Double> numbers =
                profiles.stream().map(number).filter(Objects::nonNull).toList();
        if (numbers.isEmpty() || numbers.size() < profiles.size()) {
            return null;
        }
        return numbers.stream().mapToDouble(Double::doubleValue).sum() / numbers.size();
    }
}

package io.posbias.report;

import io.posbias.measure.Comparison;
import io.posbias.stats.Estimate;
import io.posbias.stats.Holm;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A comparison among many.
 *
 * @param dataset on which
 * @param first name of the first system
 * @param second name of the second; differences are second less first
 * @param comparison of the two
 * @param holm p-value of the mean difference, by randomisation or else by the t test, adjusted for all comparisons
 * @param holmPsi p-value of the PSI difference, adjusted likewise; null when it has none
 */
public record Compared(
        String dataset,
        String first,
        String second,
        Comparison comparison,
        double holm,
        @Nullable Double holmPsi) {

    /** The difference in PSI; null when one of the two has none. */
    Comparison.@Nullable PsiDifference psi() {
        return comparison.psi();
    }

    /**
     * Two systems before all p-values are known.
     *
     * @param dataset on which
     * @param first name of the first system
     * @param second name of the second
     * @param comparison of the two
     */
    public record Pair(String dataset, String first, String second, Comparison comparison) {}

    /** Adjusts the p-values of means, and those of PSI, each over all pairs given. */
    public static List<Compared> adjusted(List<Pair> pairs) {
        List<@Nullable Double> means = adjust(pairs, Compared::pValue);
        List<@Nullable Double> psi = adjust(pairs, pair -> {
            Comparison.PsiDifference difference = pair.comparison().psi();
            Estimate estimate = difference == null ? null : difference.difference();
            return estimate == null ? null : (Double) estimate.pValue();
        });
        List<Compared> compared = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            Pair pair = pairs.get(i);
            compared.add(new Compared(
                    pair.dataset(),
                    pair.first(),
                    pair.second(),
                    pair.comparison(),
                    Objects.requireNonNull(means.get(i)),
                    psi.get(i)));
        }
        return compared;
    }

    private static Double pValue(Pair pair) {
        Double randomisation = pair.comparison().randomisation();
        return randomisation == null ? (Double) pair.comparison().difference().pValue() : randomisation;
    }

    /** Those there are, adjusted for each other. */
    private static List<@Nullable Double> adjust(List<Pair> pairs, Function<Pair, @Nullable Double> of) {
        List<@Nullable Double> raw = new ArrayList<>();
        pairs.forEach(pair -> raw.add(of.apply(pair)));
        double[] known =
                raw.stream().filter(Objects::nonNull).mapToDouble(p -> p).toArray();
        double[] adjusted = Holm.adjust(known);
        List<@Nullable Double> all = new ArrayList<>();
        int next = 0;
        for (Double p : raw) {
            all.add(p == null ? null : (Double) adjusted[next++]);
        }
        return all;
    }
}

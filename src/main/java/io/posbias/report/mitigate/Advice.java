package io.posbias.report.mitigate;

import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Holm;
import io.posbias.base.table.NumberFormat;
import io.posbias.score.measure.Effect;
import io.posbias.score.measure.Effect.BucketSummary;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Recommendations with their reasons, one sentence per model and benchmark: by the {@linkplain LossAdvice loss with the content
 * held fixed} where it was measured, otherwise by PSI and means.
 */
public final class Advice {
    private Advice() {}

    /** Returns a sentence per model and benchmark. */
    public static List<String> of(List<Mitigation> rows, Effect.Criteria criteria) {
        return Mitigations.groups(rows).values().stream()
                .map(own -> sentence(own, criteria))
                .toList();
    }

    private static String sentence(List<Mitigation> rows, Effect.Criteria criteria) {
        Mitigation plain = rows.getFirst();
        String where = "On " + plain.dataset();
        List<Mitigation> compared =
                rows.stream().filter(row -> row.change() != null).toList();
        if (rows.size() == 1) {
            return where + " no strategy around " + plain.model() + " has a result";
        }
        if (compared.isEmpty()) {
            return where + " there are too few queries to compare strategies around " + plain.model();
        }
        List<Mitigation> others =
                compared.stream().filter(row -> !row.cutsNothing()).toList();
        String untested = untested(compared);
        if (others.isEmpty()) {
            return where + untested;
        }
        return LossAdvice.of(plain, others, criteria)
                        .map(LossAdvice::sentence)
                        .orElseGet(() -> byMeans(plain, others, criteria.level()))
                + (untested.isEmpty() ? "" : ";" + untested);
    }

    /** Names the windows that hold whole passages: what they would do to longer ones is not known. */
    private static String untested(List<Mitigation> rows) {
        String names = rows.stream()
                .filter(Mitigation::cutsNothing)
                .map(row -> row.name() + " ("
                        + NumberFormat.STRENGTH.print(row.cost().vectorsPerPassage()) + " windows a passage)")
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : " not tested, as nothing was cut: " + names;
    }

    private static String byMeans(Mitigation plain, List<Mitigation> others, double level) {
        String recommended = "Recommended on " + plain.dataset() + ": ";
        return others.stream()
                .filter(row -> change(row).isGain(level))
                .min(Comparator.comparingDouble((Mitigation row) -> -harmonic(row))
                        .thenComparingDouble(row -> row.cost().vectorsPerPassage()))
                .map(best -> recommended + balanced(plain, best) + chosen(plain, others))
                .or(() -> better(others, level)
                        .map(gain -> recommended + gain + chosen(plain, others) + "; " + least(others)))
                .orElseGet(() -> keep(plain) + least(others));
    }

    static String keep(Mitigation plain) {
        return "On " + plain.dataset() + " keep " + plain.model() + " as it is: ";
    }

    /** The best of several is chosen for its luck, too: what it gains where it was not chosen. */
    static String chosen(Mitigation plain, List<Mitigation> others) {
        if (others.size() == 1) {
            return "";
        }
        HalvesSelection selected = plain.selected();
        return ", selected from " + others.size()
                + (selected == null
                        ? ": expect less on other queries"
                        : "; chosen on half of the clusters and measured on the other, "
                                + (selected.isLoss()
                                        ? "it loses "
                                                + NumberFormat.PERCENT.print(
                                                        selected.gain().value()) + " "
                                                + NumberFormat.POINTS.print(
                                                        selected.gain().interval()) + " less"
                                        : "the harmonic mean over buckets changes by " + points(selected.gain())));
    }

    private static Optional<String> better(List<Mitigation> others, double level) {
        List<@Nullable Double> tests = Holm.adjustPresent(others.stream()
                .<@Nullable Double>map(row -> {
                    Estimate gain = change(row).effect().harmonic().difference();
                    return gain == null ? null : gain.pValue();
                })
                .toList());
        return IntStream.range(0, others.size())
                .boxed()
                .filter(row -> change(others.get(row)).word() != Effect.Word.WORSE)
                .sorted(Comparator.comparingDouble(row -> -harmonic(others.get(row))))
                .flatMap(row -> gain(others.get(row), tests.get(row), level).stream())
                .findFirst();
    }

    /** @param harmonicP of the change of the harmonic mean, adjusted by Holm; null without a test */
    private static Optional<String> gain(Mitigation row, @Nullable Double harmonicP, double level) {
        if (change(row).word() == Effect.Word.IMPROVES) {
            Estimate mean = change(row).effect().comparison().difference();
            return Optional.of(row.name() + ", whose mean changes by " + points(mean) + " (Holm p "
                    + NumberFormat.P.print(change(row).holmMean()) + "), a passage takes "
                    + NumberFormat.STRENGTH.print(row.cost().vectorsPerPassage()) + " vectors");
        }
        return Optional.ofNullable(change(row).effect().harmonic().difference())
                .filter(gain -> gain.value() > 0 && harmonicP != null && harmonicP < level)
                .map(gain -> row.name() + ", whose harmonic mean over the buckets changes by "
                        + points(gain) + " (Holm p " + NumberFormat.P.print(harmonicP) + "), a passage takes "
                        + NumberFormat.STRENGTH.print(row.cost().vectorsPerPassage()) + " vectors");
    }

    static Mitigation.StrategyChange change(Mitigation row) {
        return Objects.requireNonNull(row.change());
    }

    private static double harmonic(Mitigation row) {
        Double mean = row.summary(BucketSummary.HARMONIC);
        return mean == null ? 0 : mean;
    }

    private static String balanced(Mitigation plain, Mitigation best) {
        boolean thin = plain.profile().hasThinPsi() || best.profile().hasThinPsi();
        return best.name() + " (PSI " + (thin ? "down" : psi(plain) + " -> " + psi(best)) + ", Holm p "
                + NumberFormat.P.print(change(best).holmPsi())
                + "): " + cost(best)
                + (change(best).truncation() ? "; the change of PSI is explained by truncation" : "");
    }

    /** The change of the mean and the number of vectors. */
    static String cost(Mitigation row) {
        return "the mean changes by " + points(mean(row)) + ", a passage takes "
                + NumberFormat.STRENGTH.print(row.cost().vectorsPerPassage()) + " vectors";
    }

    static Estimate mean(Mitigation row) {
        return change(row).effect().comparison().difference();
    }

    static String points(Estimate change) {
        return NumberFormat.SIGNED_POINTS.print(change.value()) + " points "
                + NumberFormat.SIGNED_POINTS.print(change.interval());
    }

    private static String psi(Mitigation row) {
        return NumberFormat.FRACTION.print(row.profile().psi().value());
    }

    private static String least(List<Mitigation> others) {
        return others.stream()
                .filter(row -> change(row).word() == Effect.Word.TRADE_OFF
                        || change(row).word() == Effect.Word.MEAN_UNDETERMINED)
                .min(Comparator.comparingDouble((Mitigation row) -> -harmonic(row)))
                .map(row -> "no strategy lessens PSI and is shown to keep the mean; the least costly is " + row.name()
                        + ", whose mean changes by "
                        + points(change(row).effect().comparison().difference()))
                .orElseGet(() -> "no strategy lessens PSI beyond noise" + smallest(others));
    }

    private static String smallest(List<Mitigation> others) {
        return others.stream()
                .filter(Advice::lessens)
                .map(row -> change(row).holmPsi())
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .map(p -> " (smallest Holm p " + NumberFormat.P.print(p) + ")")
                .orElse("");
    }

    private static boolean lessens(Mitigation row) {
        Estimate psi = change(row).effect().psi();
        return psi != null && psi.value() < 0;
    }
}

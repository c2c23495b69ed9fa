package io.posbias.report.mitigate;

import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Holm;
import io.posbias.base.table.NumberFormat;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Effect;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Recommendation by the net loss at the back with the content held fixed, because PSI and means also change with the content of the
 * queries. A strategy is recommended if the absolute value of its loss is smaller beyond noise ({@link PositionLoss.Change#magnitude},
 * adjusted by Holm for the strategies) and its mean is not shown to fall by more than the margin; of several the one with the
 * smallest loss, then with the fewest vectors.
 */
final class LossAdvice {
    private final Mitigation plain;
    private final List<Mitigation> compared;
    private final List<Mitigation> uncompared;
    private final List<@Nullable Double> holm;
    private final Effect.Criteria criteria;

    private LossAdvice(Mitigation plain, List<Mitigation> others, Effect.Criteria criteria) {
        this.plain = plain;
        this.compared = others.stream().filter(LossAdvice::isCompared).toList();
        this.uncompared = others.stream().filter(row -> !isCompared(row)).toList();
        this.criteria = criteria;
        this.holm = Holm.adjustPresent(compared.stream()
                .<@Nullable Double>map(row -> change(row).magnitude().pValue())
                .toList());
    }

    /**
     * The recommendation; empty unless the content was held fixed for the model and for a strategy, and if not reading costs
     * something that the loss at the back does not show.
     *
     * @param others the strategies with a change
     */
    static Optional<LossAdvice> of(Mitigation plain, List<Mitigation> others, Effect.Criteria criteria) {
        ContentFixed moved = plain.profile().contentFixed();
        if (moved == null || Mitigations.loss(plain) == null || others.stream().noneMatch(LossAdvice::isCompared)) {
            return Optional.empty();
        }
        return plain.profile().verdict() == Verdict.UNREAD && moved.outcome() != TestOutcome.PRIMACY
                ? Optional.empty()
                : Optional.of(new LossAdvice(plain, others, criteria));
    }

    private static boolean isCompared(Mitigation row) {
        return row.loss() != null && Mitigations.loss(row) != null;
    }

    String sentence() {
        Verdict verdict = Objects.requireNonNull(plain.profile().verdict());
        if (verdict == Verdict.TOO_FEW || verdict == Verdict.TOO_EASY || verdict == Verdict.TOO_HARD) {
            return Advice.keep(plain) + "its queries are " + verdict + " for a conclusion";
        }
        int best = verdict.isSound() ? -1 : best(row -> lessens(row) && !isMeanWorse(compared.get(row)));
        if (best >= 0) {
            return recommended(best) + remarks(best) + unknown();
        }
        String reason = (verdict == Verdict.CONTENT ? "its loss is content, not position: " : "")
                + "the same evidence " + loses(plain) + " at the back"
                + (verdict.isSound()
                        ? "; no strategy is needed for position"
                        : ", and no strategy lessens this beyond noise and keeps the mean" + smallest());
        // A row that says "improves" never stands under "keep".
        int gain = best(row -> isBetter(compared.get(row)));
        return (gain < 0
                        ? Advice.keep(plain) + reason
                        : "Recommended on " + plain.dataset() + " for the mean alone: " + gain(compared.get(gain))
                                + ", a passage takes "
                                + NumberFormat.STRENGTH.print(
                                        compared.get(gain).cost().vectorsPerPassage())
                                + " vectors, and the same evidence " + loses(compared.get(gain)) + " at the back"
                                + Advice.chosen(plain, compared) + "; of " + plain.model() + " alone " + reason)
                + (verdict.isSound() ? gains(gain) : remarks(gain) + unknown());
    }

    /** Returns true if a strategy raises the mean, and leaves no greater loss. */
    private boolean isBetter(Mitigation row) {
        return improves(row)
                && Advice.mean(row).value() > 0
                && Math.abs(loss(row).value()) <= Math.abs(loss(plain).value());
    }

    private static boolean improves(Mitigation row) {
        return Advice.change(row).word() == Effect.Word.IMPROVES;
    }

    /** The further strategies that raise the mean. */
    private String gains(int but) {
        return IntStream.range(0, compared.size())
                .filter(row -> row != but && improves(compared.get(row)))
                .mapToObj(row -> "; " + gain(compared.get(row)))
                .collect(Collectors.joining());
    }

    /** Of the wanted strategies the one with the smallest loss, then with the fewest vectors; -1 for none. */
    private int best(IntPredicate wanted) {
        Comparator<Mitigation> order = Comparator.comparingDouble(
                        (Mitigation row) -> Math.abs(loss(row).value()))
                .thenComparingDouble(row -> row.cost().vectorsPerPassage());
        return IntStream.range(0, compared.size())
                .filter(wanted)
                .reduce(
                        -1,
                        (best, row) ->
                                best < 0 || order.compare(compared.get(row), compared.get(best)) < 0 ? row : best);
    }

    private String recommended(int row) {
        Mitigation best = compared.get(row);
        return "Recommended on " + plain.dataset() + ": " + best.name() + " (loss at the back " + percent(plain)
                + " -> "
                + percent(best) + ", Holm p " + NumberFormat.P.print(holm.get(row)) + "): " + Advice.cost(best)
                + Advice.chosen(plain, compared);
    }

    /**
     * The strategies whose gain is another one than the loss, or has a price.
     *
     * @param best is left out; -1 for none
     */
    private String remarks(int best) {
        List<String> remarks = new ArrayList<>();
        for (int i = 0; i < compared.size(); i++) {
            Mitigation row = compared.get(i);
            if (i == best) {
                continue;
            }
            if (lessens(i) && isMeanWorse(row)) {
                remarks.add(row.name() + " takes the loss to " + percent(row) + ", but the mean changes by "
                        + Advice.points(Advice.mean(row)));
            } else if (isGain(row) && !(lessens(i) && loss(row).pValue() >= criteria.level())) {
                remarks.add(gain(row) + ", but the same evidence still " + loses(row) + " at the back");
            }
        }
        return remarks.stream().map(remark -> "; " + remark).collect(Collectors.joining());
    }

    private String unknown() {
        return uncompared.isEmpty()
                ? ""
                : "; without a loss to compare: "
                        + uncompared.stream().map(Mitigation::name).collect(Collectors.joining(", "))
                        + " (--content-fixed)";
    }

    private String smallest() {
        return holm.stream()
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .map(p -> " (smallest Holm p " + NumberFormat.P.print(p) + ")")
                .orElse("");
    }

    private boolean lessens(int row) {
        Double p = holm.get(row);
        return change(compared.get(row)).magnitude().value() < 0 && p != null && p < criteria.level();
    }

    private boolean isMeanWorse(Mitigation row) {
        return Advice.mean(row).interval().high() < -criteria.margin();
    }

    private boolean isGain(Mitigation row) {
        return improves(row) || Advice.change(row).isGain(criteria.level());
    }

    private static String gain(Mitigation row) {
        return improves(row)
                ? row.name() + " raises the mean by "
                        + NumberFormat.POINTS.print(Advice.mean(row).value()) + " points "
                        + NumberFormat.POINTS.print(Advice.mean(row).interval())
                : row.name() + " lowers PSI";
    }

    private static PositionLoss.Change change(Mitigation row) {
        return Objects.requireNonNull(row.loss());
    }

    private static Estimate loss(Mitigation row) {
        return Objects.requireNonNull(Mitigations.loss(row));
    }

    private static String percent(Mitigation row) {
        Estimate loss = loss(row);
        return NumberFormat.PERCENT.print(loss.value()) + " " + NumberFormat.POINTS.print(loss.interval());
    }

    private static String loses(Mitigation row) {
        return Answer.loses(Objects.requireNonNull(row.profile().contentFixed()));
    }
}

package io.posbias.score.result;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.text.Plural;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.BesideBlind;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.LossParts;
import io.posbias.score.measure.Power;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Profile.Unread;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.measure.Truncation;
import io.posbias.score.measure.UnreadContrast;
import io.posbias.score.measure.Verdict;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Verdicts of a profile in words: what was found, with its numbers, and what would settle an open question. The one place that says
 * them.
 *
 * @param verdicts empty without a verdict
 * @param words after the model's name, without a capital; empty without a verdict
 * @param isPlanned true if {@code posbias plan} says how many queries are needed
 */
public record Answer(List<Verdict> verdicts, String words, boolean isPlanned) {
    private Answer(Verdict verdict, String words) {
        this(List.of(verdict), words, false);
    }

    /** Returns the command that computes how many queries are needed. */
    public static String plan(String folder) {
        return "posbias plan --pilot " + folder + " --loss " + NumberFormat.percent(Power.LOSS);
    }

    /**
     * Returns the words, with the command that continues where they end.
     *
     * @param folder of the result, as a word of a command
     */
    public String line(String folder) {
        return isPlanned ? words + ": " + plan(folder) : words;
    }

    /** Explains the verdicts of a profile alone. */
    public static Answer of(Result result, Profile profile) {
        return of(result, profile, null);
    }

    /**
     * Explains the verdicts of a profile.
     *
     * @param beside of a position-blind model on the same queries; null without one
     */
    public static Answer of(Result result, Profile profile, @Nullable BesideBlind beside) {
        UnreadContrast contrast = beside == null ? null : beside.unread();
        List<Verdict> verdicts = profile.verdicts(result.isBlind(), contrast);
        if (verdicts.isEmpty()) {
            return new Answer(verdicts, "", false);
        }
        Answer first = of(verdicts.getFirst(), new Told(result, profile, beside));
        return new Answer(verdicts, first.words, first.isPlanned);
    }

    /** Numbers behind a verdict. */
    private record Told(
            Result result, Profile profile, @Nullable BesideBlind beside) {}

    private static Answer of(Verdict verdict, Told told) {
        ContentFixed moved = told.profile.contentFixed();
        double confidence = told.result.settings().confidence();
        if (verdict == Verdict.UNREAD && (moved == null || moved.causes().isEmpty())) {
            return new Answer(verdict, reads(told) + beyond(told));
        }
        if (verdict == Verdict.CONTENT) {
            return new Answer(
                    verdict,
                    moved == null || !moved.isEven()
                            ? "it is position-blind: the questions themselves differ"
                            : "the questions differ, not what it makes of positions: the same evidence " + loses(moved)
                                    + " at the back");
        }
        if (moved != null) {
            Answer own = of(moved, confidence);
            boolean isCause = verdict == Verdict.UNREAD || verdict == Verdict.POSITION;
            return new Answer(own.verdicts, (isCause ? reads(told) : "") + own.words, own.isPlanned);
        }
        return switch (verdict) {
            case TOO_FEW -> tooFew(told.profile, confidence);
            case EVEN ->
                new Answer(
                        verdict,
                        "no difference between positions beyond noise"
                                + excluded(told.profile.psi().interval()));
            case OPEN -> open(told, confidence);
            default -> new Answer(verdict, early(verdict));
        };
    }

    /** Describes the limit, and how many answers lie past it; empty if all are read. */
    private static String reads(Told told) {
        Unread unread = told.profile.unread();
        int limit = told.result.retrieval().truncations().stream()
                .filter(truncation -> truncation.startsPast() > 0)
                .mapToInt(Truncation::maxTokens)
                .filter(tokens -> tokens > 0)
                .min()
                .orElse(0);
        return unread == null
                ? ""
                : (limit == 0 ? "it" : "it reads " + limit + " tokens and") + " does not read "
                        + NumberFormat.PERCENT.print(unread.share()) + " of the answers; ";
    }

    private static String beyond(Told told) {
        BesideBlind beside = Objects.requireNonNull(told.beside);
        UnreadContrast contrast = Objects.requireNonNull(beside.unread());
        ContentFixed moved = told.profile.contentFixed();
        return "there it loses " + NumberFormat.POINTS.print(contrast.points().value()) + " points "
                + NumberFormat.POINTS.print(contrast.points().interval()) + " more than " + beside.model() + ", "
                + share(contrast.share()) + ", by not reading and position together"
                + (moved == null ? "" : "; " + moved(moved));
    }

    /** Explains the verdicts of the same evidence at several places. */
    public static Answer of(ContentFixed moved, double confidence) {
        List<Verdict> verdicts = moved.verdicts();
        Verdict verdict = verdicts.getFirst();
        return switch (verdict) {
            case TOO_FEW ->
                planned(
                        verdict,
                        tooFew(moved.queries(), moved.clusters(), moved.effectiveClusters()) + "; "
                                + needed(enough(moved, confidence)));
            case TOO_EASY, TOO_HARD -> new Answer(verdict, early(verdict));
            case UNREAD, POSITION -> new Answer(verdicts, moved(moved), false);
            case EVEN, CONTENT -> new Answer(verdict, moved(moved) + ", evenly");
            case OPEN -> planned(verdict, moved(moved) + "; " + open(moved));
        };
    }

    private static Answer planned(Verdict verdict, String words) {
        return new Answer(List.of(verdict), words, true);
    }

    private static String moved(ContentFixed moved) {
        LossParts parts = moved.parts();
        return (moved.isInWindows() ? "in windows of the passages " : "") + "the same evidence " + loses(moved)
                + " at the back"
                + (parts != null
                        ? ": " + parts(parts, moved)
                        : moved.isReadUnknown() && !moved.isEven() ? " (it is unknown what it reads)" : "");
    }

    /** Describes the parts of a loss, the larger first. */
    private static String parts(LossParts parts, ContentFixed moved) {
        LossParts.Part position = parts.position();
        LossParts.Part notReading = parts.notReading();
        Estimate remainder = parts.remainder();
        if (position == null) {
            return "by position or by not reading, as too few passages are read at the front";
        }
        List<String> words = new ArrayList<>();
        words.add(share(parts.share(position.points())) + " by position"
                + (notReading == null ? " up to place " + parts.basis().lastPlace() + " of " + moved.k() : ""));
        if (notReading != null) {
            Estimate share = parts.share(notReading.points());
            String tested = parts.isUntold(moved.equivalence())
                    ? " by not reading, or by position in longer passages"
                    : parts.isTested()
                            ? " by not reading"
                            : " by not reading, of which too few passages are cut for a test";
            words.add(
                    Math.abs(share.value())
                                    > Math.abs(parts.share(position.points()).value())
                            ? 0
                            : 1,
                    share(share) + tested);
        }
        if (remainder != null) {
            words.add(share(parts.share(remainder))
                    + (notReading == null
                            ? " behind it, by both together"
                            : " at places that too few passages are read at"));
        }
        int left = parts.basis().unknown() + parts.basis().nowhere();
        return String.join(", ", words)
                + (left == 0
                        ? ""
                        : " (without " + Plural.of(left, "query") + " of which no place is known to be read)");
    }

    private static String excluded(@Nullable Interval psi) {
        return psi == null ? "" : "; a PSI above " + NumberFormat.FRACTION.print(psi.high()) + " is excluded";
    }

    private static String open(ContentFixed moved) {
        Estimate loss = moved.lossShare();
        if (loss == null) {
            return needed(null);
        }
        Interval interval = loss.interval();
        double bound = moved.equivalence();
        double half = (interval.high() - interval.low()) / 2;
        String within = bound <= 0 || half <= bound
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; to show that it is within %s takes about %,d queries",
                        NumberFormat.percent(bound),
                        rounded(moved.queries() * half * half / (bound * bound)));
        return (interval.holds(0)
                        ? "losses above " + bound(interval.high()) + "% are excluded"
                        : moved.arePartsUnknown()
                                ? "this earlier result does not say what is read whole, so its parts are unknown:"
                                        + " evaluate again"
                                : "no part is beyond noise")
                + within;
    }

    private static @Nullable Integer enough(ContentFixed moved, double confidence) {
        return Power.enough(
                moved.queriesFor(Power.LOSS, confidence), moved.queries(), moved.clusters(), moved.effectiveClusters());
    }

    private static String early(Verdict verdict) {
        return verdict == Verdict.TOO_HARD
                ? "hardly anything is found, at any position: too hard for a conclusion"
                : "nearly everything is found, at every position: too easy for a conclusion";
    }

    private static Answer tooFew(Profile profile, double confidence) {
        Integer clusters = profile.clusters();
        return clusters == null
                ? new Answer(Verdict.TOO_FEW, "too few queries for a conclusion")
                : planned(
                        Verdict.TOO_FEW,
                        tooFew(profile.queries(), clusters, profile.effectiveClusters()) + "; "
                                + needed(enough(profile, clusters, confidence)));
    }

    private static @Nullable Integer enough(Profile profile, int clusters, double confidence) {
        return Power.enough(
                profile.queriesFor(Power.LOSS, confidence), profile.queries(), clusters, profile.effectiveClusters());
    }

    private static Answer open(Told told, double confidence) {
        Profile profile = told.profile;
        BesideBlind beside = told.beside;
        if (profile.outcome() != TestOutcome.DIFFER) {
            Integer clusters = profile.clusters();
            String words = "differences are within noise";
            return clusters == null
                    ? new Answer(Verdict.OPEN, words)
                    : planned(Verdict.OPEN, words + "; " + needed(enough(profile, clusters, confidence)));
        }
        if (beside == null || beside.shape() == null || !profile.stratum().equals(Strata.ALL)) {
            return new Answer(Verdict.OPEN, "positions differ, by position or by content");
        }
        boolean isOther = beside.shape() < 1 - confidence;
        return new Answer(
                Verdict.OPEN,
                "positions differ, "
                        + (isOther ? "and otherwise than for " : "as they do for ") + beside.model()
                        + ", which sees none"
                        + (isOther ? ": by position, or by other content" : ": by content as far as this shows")
                        + " (p of another shape " + NumberFormat.P.print(beside.shape()) + ")");
    }

    /** Says what the same evidence loses or gains at the back, as a predicate with an interval. */
    public static String loses(ContentFixed moved) {
        Estimate share = moved.lossShare();
        return share == null
                ? "scores "
                        + NumberFormat.SIGNED_POINTS.print(
                                -moved.frontMinusBack().value()) + " points"
                : (share.value() < 0 ? "gains " : "loses ") + share(share.value() < 0 ? share.times(-1) : share);
    }

    private static String share(Estimate share) {
        Interval interval = share.interval();
        return NumberFormat.PERCENT.print(share.value()) + " [" + bound(interval.low()) + ", " + bound(interval.high())
                + "]";
    }

    /** Prints a bound in per cent; one that excludes 0 is not printed as 0. */
    private static String bound(double bound) {
        String printed = NumberFormat.POINTS.print(bound);
        return bound != 0 && printed.matches("-?0\\.0") ? NumberFormat.POINTS.print(bound, 2) : printed;
    }

    /** Explains too few clusters. */
    public static String tooFew(int queries, int clusters, @Nullable Double effective) {
        String known = effective == null ? "" : String.format(Locale.ROOT, " (%.1f effective)", effective);
        return Plural.of(queries, "query") + " in " + Plural.of(clusters, "cluster") + known
                + " are too few for a conclusion: " + Clusters.FEW + " clusters are needed, " + Clusters.FEW_EFFECTIVE
                + " effective";
    }

    /**
     * Says how many queries a verdict needs, by an approximation that agrees with {@code posbias plan}.
     *
     * @param queries that would find a loss of {@link Power#LOSS}; null if unknown
     */
    private static String needed(@Nullable Integer queries) {
        return queries == null
                ? "how many queries are needed"
                : String.format(
                        Locale.ROOT,
                        "about %,d queries would find a loss of %s (%s power)",
                        rounded(queries),
                        NumberFormat.percent(Power.LOSS),
                        NumberFormat.percent(Power.POWER));
    }

    private static int rounded(double queries) {
        return new BigDecimal(queries)
                .round(new MathContext(2, RoundingMode.UP))
                .intValue();
    }
}

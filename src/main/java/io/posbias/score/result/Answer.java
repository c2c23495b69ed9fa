package io.posbias.score.result;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.text.Plural;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.Bias;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Direction;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.Power;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.ProfileOutcome;
import io.posbias.score.measure.Truncation;
import io.posbias.score.measure.Unread;
import io.posbias.score.measure.Verdict;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Verdicts in words: what was found, with its numbers, and what would settle an open question. */
public final class Answer {
    /** The command that computes how many queries are needed. */
    public static final String PLAN = "posbias plan --pilot FOLDER --loss " + NumberFormat.percent(Power.LOSS);

    private Answer() {}

    /**
     * Explains the verdict of a profile, in one or two sentences after the model's name.
     *
     * @return empty without a verdict
     */
    public static String of(Result result, Profile profile) {
        Verdict verdict = profile.verdict();
        if (verdict == null) {
            return "";
        }
        double confidence = result.settings().confidence();
        ContentFixed moved = profile.contentFixed();
        return switch (verdict) {
            case TOO_FEW -> moved == null ? tooFew(profile, confidence) : of(moved, confidence);
            case UNREAD -> unread(result, profile, confidence);
            case CONTENT ->
                moved == null || moved.outcome() != Bias.NONE
                        ? "it is position-blind: the questions themselves differ"
                        : "the questions differ, not what it makes of positions: the same evidence " + loses(moved)
                                + " at the back";
            case EVEN -> moved == null ? "no difference between positions beyond noise" : of(moved, confidence);
            case OPEN -> moved == null ? open(profile, confidence) : of(moved, confidence);
            case POSITION, TOO_EASY, TOO_HARD -> moved == null ? early(verdict) : of(moved, confidence);
        };
    }

    /**
     * Explains a profile whose positions differ, by position or by content, beside a position-blind model's whose positions differ,
     * too.
     *
     * @param shape p-value of the test that a result's profile of a measure differs from the blind one in level only; null if
     *     untested
     * @return null for other profiles, or without a test
     */
    public static @Nullable String beside(
            Result result, Profile profile, Result blind, BiFunction<Result, String, @Nullable Double> shape) {
        Profile same = blind.profile(profile.measure(), profile.stratum());
        if (profile.verdict() != Verdict.OPEN
                || profile.contentFixed() != null
                || !profile.stratum().equals(Strata.ALL)
                || !differs(profile)
                || same == null
                || !differs(same)) {
            return null;
        }
        Double p = shape.apply(result, profile.measure());
        if (p == null) {
            return null;
        }
        boolean isOther = p < 1 - result.settings().confidence();
        return "positions differ, "
                + (isOther ? "and otherwise than for " : "as they do for ") + blind.model() + ", which sees none"
                + (isOther ? ": by position, or by other content" : ": by content as far as this shows")
                + " (p of another shape "
                + NumberFormat.P.print(p) + ")";
    }

    private static boolean differs(Profile profile) {
        Direction direction = profile.direction();
        return direction != null && direction.outcome() == ProfileOutcome.DIFFER;
    }

    /** Explains the verdict on the same evidence at several places. */
    public static String of(ContentFixed moved, double confidence) {
        Verdict verdict = Verdict.of(moved);
        return switch (verdict) {
            case TOO_FEW ->
                tooFew(moved.queries(), moved.clusters(), moved.effectiveClusters()) + "; "
                        + needed(enough(moved, confidence));
            case TOO_EASY, TOO_HARD -> early(verdict);
            case UNREAD -> "it does not read the evidence at all places, and finds what it reads without a direction";
            case POSITION -> "the same evidence " + loses(moved) + " at the back";
            case EVEN, CONTENT -> "the same evidence " + loses(moved) + " at the back: evenly";
            case OPEN ->
                "the same evidence " + loses(moved) + " at the back, not beyond noise; " + open(moved, confidence);
        };
    }

    private static String open(ContentFixed moved, double confidence) {
        Integer enough = enough(moved, confidence);
        return enough == null || enough > moved.queries()
                ? needed(enough)
                : "a loss of " + NumberFormat.percent(Power.LOSS) + " would have been found, one of "
                        + NumberFormat.percent(moved.equivalence()) + " may be there";
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

    private static String tooFew(Profile profile, double confidence) {
        Integer clusters = profile.clusters();
        return clusters == null
                ? "too few queries for a conclusion"
                : tooFew(profile.queries(), clusters, profile.effectiveClusters()) + "; "
                        + needed(enough(profile, clusters, confidence));
    }

    private static @Nullable Integer enough(Profile profile, int clusters, double confidence) {
        return Power.enough(
                profile.queriesFor(Power.LOSS, confidence), profile.queries(), clusters, profile.effectiveClusters());
    }

    private static String open(Profile profile, double confidence) {
        Integer clusters = profile.clusters();
        return differs(profile)
                ? "positions differ, by position or by content"
                : clusters == null
                        ? "differences are within noise"
                        : "differences are within noise; " + needed(enough(profile, clusters, confidence));
    }

    private static String unread(Result result, Profile profile, double confidence) {
        List<Truncation> cutting = result.retrieval().truncations().stream()
                .filter(truncation -> truncation.startsPast() > 0)
                .toList();
        int limit = cutting.stream()
                .mapToInt(Truncation::maxTokens)
                .filter(tokens -> tokens > 0)
                .min()
                .orElse(0);
        String reads = limit == 0 ? "it" : "it reads " + limit + " tokens and";
        Unread unread = profile.unread();
        if (unread == null) {
            ContentFixed moved = profile.contentFixed();
            return moved == null ? "" : of(moved, confidence);
        }
        Estimate cost = unread.readMinusUnread();
        String costs = cost == null ? "" : ", which score " + NumberFormat.POINTS.print(cost.value()) + " points less";
        return reads + " never reads " + NumberFormat.PERCENT.print(unread.share()) + " of the answers" + costs
                + besides(profile.contentFixed());
    }

    /** Describes the evidence that is read. */
    private static String besides(@Nullable ContentFixed moved) {
        if (moved == null) {
            return "";
        }
        return switch (Verdict.of(moved)) {
            case POSITION -> "; what it reads " + loses(moved) + " at the back";
            case EVEN -> "; what it reads it finds evenly";
            default -> "";
        };
    }

    /** Says what the same evidence loses or gains at the back, as a predicate with an interval. */
    public static String loses(ContentFixed moved) {
        PositionLoss loss = moved.loss();
        Estimate share = loss == null ? null : loss.score().loss();
        if (share == null) {
            return "scores "
                    + NumberFormat.SIGNED_POINTS.print(-moved.frontMinusBack().value()) + " points";
        }
        boolean gains = share.value() < 0;
        Interval interval = gains ? share.interval().times(-1) : share.interval();
        return (gains ? "gains " : "loses ") + NumberFormat.PERCENT.print(Math.abs(share.value())) + " "
                + NumberFormat.POINTS.print(interval);
    }

    /** Explains too few clusters. */
    public static String tooFew(int queries, int clusters, @Nullable Double effective) {
        String known = effective == null ? "" : String.format(Locale.ROOT, " (%.1f effective)", effective);
        return Plural.of(queries, "query") + " in " + Plural.of(clusters, "cluster") + known
                + " are too few for a conclusion: " + Clusters.FEW + " clusters are needed, " + Clusters.FEW_EFFECTIVE
                + " effective";
    }

    /**
     * Says how many queries a verdict needs, by an approximation that agrees with {@code posbias plan}, and names that command.
     *
     * @param queries that would find a loss of {@link Power#LOSS}; null if unknown
     */
    public static String needed(@Nullable Integer queries) {
        String loss = NumberFormat.percent(Power.LOSS);
        return queries == null
                ? "how many queries are needed: " + PLAN
                : String.format(
                        Locale.ROOT,
                        "about %,d queries would find a loss of %s (%s power): %s",
                        new BigDecimal(queries)
                                .round(new MathContext(2, RoundingMode.UP))
                                .intValue(),
                        loss,
                        NumberFormat.percent(Power.POWER),
                        PLAN);
    }
}

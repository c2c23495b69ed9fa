package io.posbias.study.calibrate;

import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Profile;
import io.posbias.study.calibrate.ReferenceEncoder.Shape;
import io.posbias.study.calibrate.ReferenceSpec.ReferenceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Retrieval strategies around reference encoders: which planted bias each of them removes follows from what it does.
 *
 * <p>The weights of these encoders fall over {@value #SCALE} tokens, the length of a passage, whatever the length of what is
 * read: windows of a fifth of that see a fifth of the bias.
 */
public final class PlantedStrategies {
    /** The weights fall over so many tokens. */
    static final int SCALE = 100;

    /** Weak enough that what is left of a bias of order 1 and its mirror image is within the noise. */
    private static final List<ReferenceSpec> BIASES = List.of(
            new ReferenceSpec(ReferenceKind.FLAT, 0),
            new ReferenceSpec(ReferenceKind.PRIMACY, 0.5),
            new ReferenceSpec(ReferenceKind.RECENCY, 0.5),
            new ReferenceSpec(ReferenceKind.MIDDLE, 0.5));

    private static final Set<Shape> NONE = Set.of();
    private static final Set<Shape> ENDS = Set.of(Shape.PRIMACY, Shape.RECENCY);
    private static final Set<Shape> ALL = Set.of(Shape.PRIMACY, Shape.RECENCY, Shape.MIDDLE);

    private static final String WINDOWS = ":window=20:stride=10";

    public enum Change {
        NONE,
        /** It is removed: within the noise, or at most a fifth of what it was. */
        GONE,
        STAYS,
        SAME;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A strategy.
     *
     * @param settings as behind {@code MODEL+}; of {@code fused}, which is with itself, the beginning
     * @param removes the biases that it removes
     */
    private record Tried(String settings, Set<Shape> removes) {
        private static final String ITSELF = "fused:with=";

        String around(String model) {
            return model + "+" + settings + (settings.equals(ITSELF) ? model : "");
        }

        String label() {
            return settings.equals(ITSELF) ? settings + "itself" : settings;
        }

        Change expected(Shape shape) {
            if (settings.equals(ITSELF)) {
                return Change.SAME;
            }
            return shape == Shape.FLAT ? Change.NONE : removes.contains(shape) ? Change.GONE : Change.STAYS;
        }
    }

    private static final List<Tried> STRATEGIES = List.of(
            new Tried("mirrored", ENDS),
            new Tried("chunked" + WINDOWS, ALL),
            new Tried("late-chunked" + WINDOWS, ALL),
            new Tried("truncated-dimensions", NONE),
            new Tried("quantised", NONE),
            new Tried(Tried.ITSELF, NONE));

    /**
     * What a strategy did to a bias.
     *
     * @param planted the bias, or {@code bm25}
     * @param strength null where there is none
     * @param strategy with its settings
     * @param expected what must become of the bias
     * @param before of the model by itself
     * @param after of the model with the strategy
     */
    public record Row(
            String planted,
            @Nullable Double strength,
            String strategy,
            Change expected,
            Profile before,
            Profile after) {
        public boolean passes() {
            return switch (expected) {
                case NONE -> !isSeen(before) && !isSeen(after);
                case GONE -> isSeen(before) && (!isSeen(after) || psi(after) <= psi(before) / PART);
                case STAYS -> isSeen(before) && isSeen(after);
                case SAME -> means(before).equals(means(after));
            };
        }

        private String failure() {
            return planted + (strength == null ? "" : " " + strength) + " with " + strategy + ": must be " + expected
                    + ", and PSI goes from " + before.psi().value() + " to "
                    + after.psi().value();
        }
    }

    /** PSI's p below this is a bias: there are about a dozen rows without one, and none shall fail by chance. */
    private static final double LEVEL = 0.005;

    /** Windows of a fifth of the scale see that part of a bias at most. */
    private static final double PART = 5;

    private PlantedStrategies() {}

    private static double psi(Profile profile) {
        return Objects.requireNonNull(profile.psi().value());
    }

    private static boolean isSeen(Profile profile) {
        return Objects.requireNonNull(profile.psi().pValue()) < LEVEL;
    }

    private static List<@Nullable Double> means(Profile profile) {
        List<@Nullable Double> means = new ArrayList<>();
        for (BucketMean bucket : profile.buckets()) {
            means.add(bucket.mean());
        }
        return means;
    }

    static int models() {
        return BIASES.size() * (1 + STRATEGIES.size()) + 2;
    }

    static List<Row> run(Function<ReferenceSpec, String> written, Function<String, Profile> profile) {
        List<Row> rows = new ArrayList<>();
        for (ReferenceSpec planted : BIASES) {
            String model = written.apply(planted);
            Profile before = profile.apply(model);
            for (Tried tried : STRATEGIES) {
                rows.add(new Row(
                        planted.kind().toString(),
                        planted.kind().isGraded() ? planted.strength() : null,
                        tried.label(),
                        tried.expected(planted.kind().shape()),
                        before,
                        profile.apply(tried.around(model))));
            }
        }
        Tried itself = STRATEGIES.getLast();
        String bm25 = "bm25";
        rows.add(new Row(
                bm25, null, itself.label(), Change.SAME, profile.apply(bm25), profile.apply(itself.around(bm25))));
        return rows;
    }

    public static List<String> failures(List<Row> rows) {
        return rows.stream().filter(row -> !row.passes()).map(Row::failure).toList();
    }
}

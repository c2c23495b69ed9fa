package io.posbias.report.mitigate;

import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Holm;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.data.position.Strata;
import io.posbias.rank.SearchReport;
import io.posbias.rank.SearchStat;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Comparer;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.Effect;
import io.posbias.score.measure.Effect.BucketSummary;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.StoredCell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A strategy around a model on one benchmark, or the model alone.
 *
 * @param strategy as in {@code MODEL+STRATEGY}; empty for the model alone
 * @param change against the model; null for the model alone or with too few queries
 * @param loss change of the net loss at the back; null for the model alone, or unless the content was held fixed in the
 *     same way
 * @param selected what the best of the strategies gains, of the model alone; null unless there are several with enough queries
 */
public record Mitigation(
        String dataset,
        String model,
        String strategy,
        Profile profile,
        StrategyCost cost,
        @Nullable StrategyChange change,
        PositionLoss.@Nullable Change loss,
        @Nullable HalvesSelection selected) {
    private static final double MEGA = 1e6;

    /** The strategies that cut passages. */
    private static final Pattern WINDOWS = Pattern.compile("(late-)?chunked(:.*)?");

    /** Fewer windows a passage leave most passages whole. */
    private static final double LEAST_WINDOWS = 1.1;

    /** Cost of a strategy. */
    public record StrategyCost(
            @Meaning(
                    value = "mean number of vectors per passage; of windows for models without vectors",
                    unit = "number")
            double vectorsPerPassage,

            @Meaning(
                    value = "size of the vectors of all passages, of 1,000,000 bytes; empty without vectors or if the"
                            + " recipe does not give a size",
                    unit = "MB")
            @Nullable
            Double megabytes,

            @Meaning(value = "texts that this run encoded, without cached vectors", unit = "count")
            double textsEncoded,

            @Meaning(
                    value =
                            "time to encode and index passages: of this run without cached vectors, measured with `--costs`",
                    unit = "s")
            double indexSeconds,

            @Meaning(
                    value = "mean time to encode and answer a query: of this run, measured with `--costs`",
                    unit = "ms")
            double queryMilliseconds,

            @Meaning("share of the queries whose evidence begins past the truncation limit")
            double unread) {
        static StrategyCost of(Result result, double bytes, int passages) {
            Map<String, Double> searchStats = result.retrieval().searchStats();
            double vectors = SearchStat.VECTORS.in(searchStats, 1);
            double size = SearchStat.BYTES.in(searchStats, bytes * vectors);
            double queries = result.queries().judged();
            double past = result.retrieval().truncations().stream()
                    .mapToInt(Truncation::startsPast)
                    .max()
                    .orElse(0);
            return new StrategyCost(
                    vectors,
                    size * passages > 0 ? (Double) (size * passages / MEGA) : null,
                    result.retrieval().usage().getOrDefault(SearchReport.ENCODED, 0.0),
                    result.provenance().seconds().getOrDefault("index", 0.0),
                    1000 * result.provenance().seconds().getOrDefault("search", 0.0) / Math.max(1, queries),
                    past / Math.max(1, queries));
        }
    }

    /**
     * Effect of a strategy. P-values with {@code holm} are adjusted for all strategies around the model on the
     * benchmark.
     *
     * @param holmPsi of the difference in PSI; null if untested
     * @param truncation true if PSI falls over all queries but not over those whose evidence the model read
     * @param read queries whose evidence the model read; all if unknown
     * @param readPsi difference in PSI over these; null if these are all or too few
     */
    public record StrategyChange(
            Effect effect,
            double holmMean,
            @Nullable Double holmPsi,
            Effect.Word word,
            boolean truncation,
            int read,
            @Nullable Estimate readPsi,
            @Nullable Double holmReadPsi) {
        @Override
        public String toString() {
            return word + (truncation ? " truncation" : "");
        }

        boolean isGain(double level) {
            return effect.lessensPsi(level, holmPsi) && (word == Effect.Word.IMPROVES || word == Effect.Word.BALANCES);
        }

        static StrategyChange of(
                Effect effect,
                double holmMean,
                @Nullable Double holmPsi,
                Effect.Word word,
                @Nullable Effect read,
                @Nullable Double holmReadPsi,
                double level) {
            Estimate readPsi = read == null ? null : read.psi();
            boolean lessens = effect.lessensPsi(level, holmPsi) && word != Effect.Word.WORSE;
            boolean shows = readPsi != null && readPsi.value() < 0 && holmReadPsi != null && holmReadPsi < level;
            return new StrategyChange(
                    effect,
                    holmMean,
                    holmPsi,
                    word,
                    lessens && read != null && !shows,
                    (read == null ? effect : read).comparison().queries(),
                    readPsi,
                    holmReadPsi);
        }
    }

    /**
     * A cell to compare.
     *
     * @param strategy empty for the model alone
     * @param bytes of one vector; 0 without vectors
     */
    public record Cell(String strategy, StoredCell cell, double bytes) {}

    /** Returns the strategy with measured times, not those of the run. */
    public Mitigation timed(double indexSeconds, double queryMillis) {
        StrategyCost measured = new StrategyCost(
                cost.vectorsPerPassage, cost.megabytes, cost.textsEncoded, indexSeconds, queryMillis, cost.unread);
        return new Mitigation(dataset, model, strategy, profile, measured, change, loss, selected);
    }

    /**
     * Compares strategies around one model on one benchmark.
     *
     * @param passages of the benchmark; 0 if unknown
     */
    public static List<Mitigation> of(
            List<Cell> cells, String measure, int passages, Comparer comparer, Effect.Criteria criteria) {
        CellQueries plain = cells.getFirst().cell().queries();
        List<CellQueries> others = cells.stream()
                .skip(1)
                .map(cell -> cell.cell().queries().inOrderOf(plain))
                .toList();
        BitSet unread = plain.facts().readByAll().endsPast();
        List<@Nullable Effect> effects = effects(plain, others, measure, new BitSet(), comparer);
        List<@Nullable Effect> read = new ArrayList<>();
        if (unread.isEmpty()) {
            // All evidence is read: nothing to tell apart.
            others.forEach(other -> read.add(null));
        } else {
            read.addAll(effects(plain, others, measure, unread, comparer));
        }
        List<@Nullable StrategyChange> changes = changes(effects, read, criteria);
        String model = cells.getFirst().cell().result().model();
        HalvesSelection selected = HalvesSelection.of(plain, others, measure, comparer);
        return IntStream.range(0, cells.size())
                .mapToObj(i -> {
                    Result result = cells.get(i).cell().result();
                    return new Mitigation(
                            result.dataset(),
                            model,
                            cells.get(i).strategy(),
                            Objects.requireNonNull(result.profile(measure, Strata.ALL)),
                            StrategyCost.of(result, cells.get(i).bytes(), passages),
                            i == 0 ? null : changes.get(i - 1),
                            i == 0 ? null : loss(plain, others.get(i - 1), measure, comparer),
                            i == 0 ? selected : null);
                })
                .toList();
    }

    private static PositionLoss.@Nullable Change loss(
            CellQueries plain, CellQueries other, String measure, Comparer comparer) {
        ContentFixedFit.Difference difference = plain.isPlacedAs(other, measure)
                ? comparer.byPlace(measure, plain.placement(), plain.places(), other.places())
                : null;
        return difference == null ? null : difference.loss();
    }

    /**
     * Finds strategies among finished cells, with the models that they wrap.
     *
     * @param cells those without queries, or with other queries or settings than the model's, are left out
     * @param measure cells without it are left out
     */
    public static List<Mitigation> among(List<StoredCell> cells, String measure) {
        List<StoredCell> finished = cells.stream()
                .filter(cell -> cell.result().measures().contains(measure))
                .filter(StoredCell::hasQueries)
                .toList();
        List<Mitigation> all = new ArrayList<>();
        for (StoredCell plain : finished) {
            List<Cell> own = new ArrayList<>(List.of(new Cell("", plain, 0)));
            String prefix = plain.result().model() + "+";
            finished.stream()
                    .filter(other -> other.result()
                                    .evaluatedModel()
                                    .isAround(plain.result().model())
                            && isPaired(plain, other))
                    .forEach(other -> {
                        String name = other.result().model();
                        own.add(new Cell(name.startsWith(prefix) ? name.substring(prefix.length()) : name, other, 0));
                    });
            if (own.size() > 1) {
                Settings settings = plain.result().settings();
                all.addAll(of(
                        own,
                        measure,
                        0,
                        new Comparer(settings, 1),
                        new Effect.Criteria(settings.confidence(), Effect.Criteria.MARGIN)));
            }
        }
        return all;
    }

    private static boolean isPaired(StoredCell plain, StoredCell other) {
        return plain.result().dataset().equals(other.result().dataset())
                && plain.result()
                        .settings()
                        .bucketing()
                        .equals(other.result().settings().bucketing())
                && plain.queries().unpaired(other.queries()) == null;
    }

    private static List<@Nullable Effect> effects(
            CellQueries plain, List<CellQueries> others, String measure, BitSet without, Comparer comparer) {
        int[] rows = IntStream.range(0, plain.scores().queries().size())
                .filter(row -> !without.get(row))
                .toArray();
        double[] own = at(plain, measure, rows);
        // One for all: what is drawn of the model is drawn once.
        QueryBuckets placement = plain.placement().at(rows);
        List<@Nullable Effect> effects = new ArrayList<>();
        for (CellQueries other : others) {
            effects.add(comparer.effect(measure, own, at(other, measure, rows), placement));
        }
        return effects;
    }

    private static double[] at(CellQueries queries, String measure, int[] rows) {
        double[] scores = Objects.requireNonNull(queries.of(measure));
        return Arrays.stream(rows).mapToDouble(row -> scores[row]).toArray();
    }

    private static List<@Nullable StrategyChange> changes(
            List<@Nullable Effect> effects, List<@Nullable Effect> read, Effect.Criteria criteria) {
        List<@Nullable Double> means =
                adjusted(effects, effect -> effect.comparison().pValue());
        List<@Nullable Double> psi = adjusted(effects, Mitigation::psiP);
        List<@Nullable Double> shifts = adjusted(
                effects,
                effect ->
                        effect.shift() == null ? null : (Double) effect.shift().pValue());
        List<@Nullable Double> readPsi = adjusted(read, Mitigation::psiP);
        List<@Nullable StrategyChange> changes = new ArrayList<>();
        for (int i = 0; i < effects.size(); i++) {
            Effect effect = effects.get(i);
            Double mean = means.get(i);
            if (effect == null || mean == null) {
                changes.add(null);
                continue;
            }
            changes.add(StrategyChange.of(
                    effect,
                    mean,
                    psi.get(i),
                    effect.word(criteria, mean, psi.get(i), shifts.get(i)),
                    read.get(i),
                    readPsi.get(i),
                    criteria.level()));
        }
        return changes;
    }

    @Nullable
    Double summary(BucketSummary of) {
        double[] means = means();
        return means.length == 0 ? null : (Double) of.of(means);
    }

    private double[] means() {
        return profile.buckets().stream()
                .map(BucketMean::mean)
                .filter(Objects::nonNull)
                .mapToDouble(mean -> mean)
                .toArray();
    }

    String worstBucket() {
        Double worst = summary(BucketSummary.WORST);
        return profile.buckets().stream()
                .filter(bucket -> worst != null && worst.equals(bucket.mean()))
                .map(BucketMean::bucket)
                .findFirst()
                .orElse(NumberFormat.NONE);
    }

    /** Returns true for windows that hold nearly all passages whole, so that they were not tested. */
    boolean cutsNothing() {
        return WINDOWS.matcher(strategy).matches() && cost.vectorsPerPassage() < LEAST_WINDOWS;
    }

    public String name() {
        return strategy.isEmpty() ? model : model + "+" + strategy;
    }

    private static @Nullable Double psiP(Effect effect) {
        Estimate psi = effect.psi();
        return psi == null ? null : (Double) psi.pValue();
    }

    private static List<@Nullable Double> adjusted(
            List<@Nullable Effect> effects, Function<Effect, @Nullable Double> of) {
        List<@Nullable Double> own = new ArrayList<>();
        effects.forEach(effect -> own.add(effect == null ? null : of.apply(effect)));
        return Holm.adjustPresent(own);
    }
}

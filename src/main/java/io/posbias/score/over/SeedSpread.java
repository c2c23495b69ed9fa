package io.posbias.score.over;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.base.table.Meaning;
import io.posbias.score.measure.BackLoss;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Result;
import io.posbias.score.result.StoredCell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Models that were trained with several seeds: what the seeds change, beside the error over queries. {@code NAME-42} and
 * {@code NAME-43} are seeds of {@code NAME}, as {@code posbias train --seeds} names them; other models stand alone, also those
 * of a training with other settings or data, as a recipe's {@code trained} says.
 *
 * @param notes name the seeds of each model, and results that were left out
 */
public record SeedSpread(String measure, double confidence, List<Line> models, List<String> notes) {
    private static final Pattern SEED = Pattern.compile("(.+)-([0-9]+)");

    /**
     * A model on a benchmark.
     *
     * @param psi null without buckets
     * @param loss null if it is undefined
     */
    public record Line(
            @Meaning("name without the seed") String model,
            @Meaning("name of the benchmark") String dataset,

            @Meaning("number of models that differ in their seed")
            int seeds,

            @Meaning("mean of the measure over queries") Over mean,
            @Meaning("Position Sensitivity Index") @Nullable Over psi,
            @Meaning("loss at the back") @Nullable Loss loss) {}

    /**
     * A number over seeds.
     *
     * @param deviation null for one seed
     * @param interval null for one seed
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Over(
            @Meaning("mean over seeds") double mean,

            @Meaning("standard deviation over seeds") @Nullable
            Double deviation,

            @Meaning("both ends of the t interval of the mean over seeds, on the same queries") @Nullable
            Interval interval) {
        static Over of(double[] values, double confidence) {
            Moments moments = Moments.of(values);
            return values.length < 2
                    ? new Over(values[0], null, null)
                    : new Over(
                            moments.mean(),
                            Math.sqrt(moments.variance()),
                            Moments.Mean.of(values, confidence).interval());
        }
    }

    /**
     * The loss at the back, 1 - back / front.
     *
     * @param contentFixed true for the loss over places with the content held fixed, false for that of the profile
     * @param estimate of the scores averaged over seeds: the error is that over queries, for these seeds
     * @param seeds the losses of single seeds; null if one is undefined
     */
    public record Loss(
            @Meaning("whether the content was held fixed") boolean contentFixed,
            @Meaning("clusters of queries") int clusters,

            @Meaning(value = "loss of the scores averaged over seeds", unit = "fraction")
            Estimate estimate,

            @Meaning(value = "losses of the seeds", unit = "fraction") @Nullable
            Over seeds) {}

    public SeedSpread {
        models = List.copyOf(models);
        notes = List.copyOf(notes);
    }

    /**
     * Groups cells by seed.
     *
     * @param stored cells without queries.csv are left out
     * @throws UsageException if no model has two seeds on a benchmark, or seeds were run on other queries
     */
    public static SeedSpread of(List<StoredCell> stored, String measure) {
        Set<String> notes = new LinkedHashSet<>();
        Map<Group, List<CellQueries>> groups = new LinkedHashMap<>();
        for (StoredCell cell : stored) {
            if (!cell.hasQueries()) {
                notes.add(cell.name() + " is left out: no queries.csv is beside its result");
                continue;
            }
            CellQueries own = cell.queries();
            if (own.of(measure) == null) {
                notes.add(cell.name() + " is left out: it has no " + measure);
                continue;
            }
            Object trained = Objects.requireNonNullElse(cell.result().recipe().get(EvaluatedModel.TRAINED), Map.of());
            Group key = new Group(stem(cell.result().model()), cell.result().dataset(), trained);
            List<CellQueries> seeds = groups.computeIfAbsent(key, unseen -> new ArrayList<>());
            seeds.add(seeds.isEmpty() ? own : own.inOrderOf(seeds.getFirst()));
        }
        if (groups.values().stream().noneMatch(seeds -> seeds.size() > 1)) {
            throw new UsageException(
                    "'report over seeds' needs models that differ in the number behind the last hyphen of their"
                            + " name, and in no other setting of 'posbias train', as those of --seeds");
        }
        List<Line> lines = new ArrayList<>();
        groups.forEach((key, seeds) -> {
            String model =
                    seeds.size() > 1 ? key.model() : seeds.getFirst().result().model();
            if (seeds.size() > 1) {
                notes.add(model + ": "
                        + String.join(
                                ", ",
                                seeds.stream().map(own -> own.result().model()).toList()));
            }
            lines.add(line(model, seeds, measure));
        });
        double confidence =
                groups.values().iterator().next().getFirst().result().settings().confidence();
        return new SeedSpread(measure, confidence, lines, List.copyOf(notes));
    }

    /** Models that differ in their seed, on a benchmark. */
    private record Group(String model, String dataset, Object trained) {}

    private static String stem(String model) {
        Matcher seed = SEED.matcher(model);
        return seed.matches() ? seed.group(1) : model;
    }

    private static Line line(String model, List<CellQueries> seeds, String measure) {
        Result first = seeds.getFirst().result();
        seeds.forEach(own -> {
            String why = seeds.getFirst().unpaired(own);
            if (why != null) {
                throw new UsageException(
                        first.model() + " and " + own.result().model() + " on " + first.dataset() + ": " + why);
            }
        });
        List<Profile> profiles =
                seeds.stream().map(own -> own.result().overall(measure)).toList();
        double confidence = first.settings().confidence();
        ToDoubleFunction<Profile> mean = profile -> Objects.requireNonNullElse(profile.queryMean(), 0.0);
        return new Line(
                model,
                first.dataset(),
                seeds.size(),
                Over.of(profiles.stream().mapToDouble(mean).toArray(), confidence),
                over(profiles, profile -> profile.printedPsi().value(), confidence),
                loss(seeds, measure));
    }

    private static <T> @Nullable Over over(List<T> of, Function<T, @Nullable Double> value, double confidence) {
        double[] values = of.stream()
                .map(value)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        return values.length < of.size() ? null : Over.of(values, confidence);
    }

    private static @Nullable Loss loss(List<CellQueries> seeds, String measure) {
        CellQueries first = seeds.getFirst();
        Settings settings = first.result().settings().withMeasures(List.of(Measures.parse(measure)));
        double confidence = settings.confidence();
        boolean fixed = seeds.stream().allMatch(own -> first.isPlacedAs(own, measure) && isSameRows(first, own));
        BackLoss loss = fixed
                ? BackLoss.ofPlaces(places(seeds), settings)
                : BackLoss.ofProfile(scores(seeds, measure), first.placement());
        if (loss == null || loss.clusters().areFew()) {
            return null;
        }
        Function<CellQueries, @Nullable BackLoss> own = fixed
                ? seed -> BackLoss.ofPlaces(seed.places(), settings)
                : seed -> BackLoss.ofProfile(Objects.requireNonNull(seed.of(measure)), seed.placement());
        return new Loss(
                fixed,
                loss.clusters().count(),
                loss.loss(confidence),
                over(
                        seeds,
                        seed -> {
                            BackLoss single = own.apply(seed);
                            return single == null
                                    ? null
                                    : (Double) single.loss(confidence).value();
                        },
                        confidence));
    }

    private static boolean isSameRows(CellQueries first, CellQueries second) {
        return first.places().stream()
                .map(ScoresByPlace::query)
                .toList()
                .equals(second.places().stream().map(ScoresByPlace::query).toList());
    }

    private static double[] scores(List<CellQueries> seeds, String measure) {
        return mean(seeds.stream()
                .map(own -> Objects.requireNonNull(own.of(measure)))
                .toList());
    }

    private static double[] mean(List<double[]> seeds) {
        return IntStream.range(0, seeds.getFirst().length)
                .mapToDouble(
                        i -> seeds.stream().mapToDouble(own -> own[i]).average().orElseThrow())
                .toArray();
    }

    /** Scores by place averaged over seeds; all else is the first seed's. */
    private static List<ScoresByPlace> places(List<CellQueries> seeds) {
        List<ScoresByPlace> first = seeds.getFirst().places();
        return IntStream.range(0, first.size())
                .mapToObj(row -> {
                    ScoresByPlace own = first.get(row);
                    return new ScoresByPlace(
                            own.query(),
                            own.passage(),
                            own.article(),
                            own.observed(),
                            mean(seeds.stream()
                                    .map(seed -> seed.places().get(row).scores())
                                    .toList()),
                            own.found(),
                            own.natural(),
                            own.broken(),
                            own.read());
                })
                .toList();
    }
}

package io.posbias.score.over;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Holm;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.RandomEffects;
import io.posbias.base.table.Meaning;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Query;
import io.posbias.score.measure.BackLoss;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.StoredCell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The loss at the back of models over several benchmarks, as {@link RandomEffects} of log front - log back. All losses are of
 * one kind: with the content held fixed where a model has that on two benchmarks, otherwise of profiles.
 *
 * @param weights of benchmarks in estimates over them
 * @param notes name results that were left out, and limits of the estimates
 */
public record BenchmarkLosses(
        String measure,
        boolean contentFixed,
        RandomEffects.Weights weights,
        double confidence,
        List<Model> models,
        @JsonProperty("comparisons") List<Pair> pairs,
        List<String> notes) {
    /** Name in place of a benchmark's. */
    public static final String ALL = "all benchmarks";

    /** Two benchmarks that share this part of the queries of the smaller are not independent. */
    private static final double SHARED = 0.5;

    /**
     * A model's loss on a benchmark, or over all.
     *
     * @param loss null over benchmarks, where the estimate is undefined
     * @param over null for one benchmark, and where the estimate is undefined
     */
    public record Line(
            String model,

            @Meaning("name of the benchmark; `all benchmarks` for the estimate over them")
            String dataset,

            @Meaning("queries behind the loss; their sum over benchmarks")
            int queries,

            @Meaning("clusters of these queries; their sum over benchmarks")
            int clusters,

            @Meaning(value = "loss at the back, 1 - back / front", unit = "fraction") @Nullable
            Estimate loss,

            @Meaning("standard error of log front - log back") @Nullable
            Double standardError,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Over over) {}

    /**
     * Heterogeneity of a model's losses.
     *
     * @param prediction null for fewer than three benchmarks
     */
    public record Over(
            @Meaning("number of benchmarks") int benchmarks,

            @Meaning("standard deviation of the true log front - log back between benchmarks")
            double tau,

            @Meaning("share of the variance of losses that is between benchmarks, I^2")
            double share,

            @Meaning("both ends of the prediction interval of the loss on another benchmark") @Nullable
            Interval prediction) {}

    /** A model's losses on benchmarks, then the one over them. */
    public record Model(String model, List<Line> benchmarks, Line over) {
        public Model {
            benchmarks = List.copyOf(benchmarks);
        }
    }

    /**
     * Two models on the benchmarks of both.
     *
     * @param difference of the losses, relative to what the first keeps: 1 - (1 - second) / (1 - first)
     */
    public record Pair(
            String first,
            String second,
            int benchmarks,
            Estimate difference,
            @JsonProperty("holm_p_value") double holmPValue) {}

    private record Cell(CellQueries queries, @Nullable BackLoss loss) {
        String model() {
            return queries.result().model();
        }

        String dataset() {
            return queries.result().dataset();
        }
    }

    public BenchmarkLosses {
        models = List.copyOf(models);
        pairs = List.copyOf(pairs);
        notes = List.copyOf(notes);
    }

    /**
     * Estimates losses from cells.
     *
     * @param stored cells without queries.csv are left out
     * @throws UsageException if no model has losses on two benchmarks
     */
    public static BenchmarkLosses of(List<StoredCell> stored, String measure, RandomEffects.Weights weights) {
        Set<String> notes = new LinkedHashSet<>();
        List<CellQueries> all = new ArrayList<>();
        Map<String, CellQueries> first = new HashMap<>();
        for (StoredCell cell : stored) {
            if (cell.hasQueries()) {
                CellQueries own = cell.queries();
                all.add(own.inOrderOf(first.computeIfAbsent(own.result().dataset(), unseen -> own)));
            } else {
                notes.add(cell.name() + " is left out: no queries.csv is beside its result");
            }
        }
        List<CellQueries> placed =
                all.stream().filter(own -> isPlaced(own, measure)).toList();
        boolean fixed = isOfTwo(placed);
        if (fixed && placed.size() < all.size()) {
            notes.add(
                    Plural.of(all.size() - placed.size(), "result")
                            + " without scores by place left out: losses with and without the content held fixed are not mixed");
        }
        List<Cell> cells = (fixed ? placed : all)
                .stream()
                        .filter(own -> own.of(measure) != null || fixed)
                        .map(own -> new Cell(own, loss(own, measure, fixed)))
                        .filter(cell -> isUsed(cell, notes))
                        .toList();
        if (!isOfTwo(cells.stream().map(Cell::queries).toList())) {
            throw new UsageException(
                    "'report over benchmarks' needs a model with losses of " + measure + " on at least two benchmarks"
                            + notes.stream().map(note -> "; " + note).collect(Collectors.joining()));
        }
        kinds(cells, fixed).ifPresent(notes::add);
        notes.addAll(shared(cells, fixed));
        double confidence = cells.getFirst().queries().result().settings().confidence();
        Map<String, List<Cell>> byModel =
                cells.stream().collect(Collectors.groupingBy(Cell::model, LinkedHashMap::new, Collectors.toList()));
        byModel.values().removeIf(own -> alone(own, notes));
        List<Model> models = byModel.values().stream()
                .map(own -> model(own, weights, confidence, notes))
                .toList();
        return new BenchmarkLosses(
                measure,
                fixed,
                weights,
                confidence,
                models,
                pairs(byModel, weights, confidence, fixed),
                List.copyOf(notes));
    }

    private static boolean alone(List<Cell> cells, Set<String> notes) {
        Cell first = cells.getFirst();
        if (cells.size() == 1) {
            notes.add(first.model() + " is left out: it has one benchmark, " + first.dataset());
        }
        return cells.size() == 1;
    }

    private static boolean isPlaced(CellQueries cell, String measure) {
        return !cell.places().isEmpty()
                && cell.result().settings().measure().toString().equals(measure);
    }

    private static boolean isOfTwo(List<CellQueries> cells) {
        return cells.stream()
                .collect(Collectors.groupingBy(cell -> cell.result().model(), Collectors.counting()))
                .values()
                .stream()
                .anyMatch(count -> count >= RandomEffects.LEAST);
    }

    private static @Nullable BackLoss loss(CellQueries cell, String measure, boolean fixed) {
        Settings settings = cell.result().settings().withMeasures(List.of(Measures.parse(measure)));
        return fixed
                ? BackLoss.ofPlaces(cell.places(), settings)
                : BackLoss.ofProfile(Objects.requireNonNull(cell.of(measure)), cell.placement());
    }

    private static boolean isUsed(Cell cell, Set<String> notes) {
        BackLoss loss = cell.loss();
        String why = loss == null
                ? "no loss at the back is defined"
                : loss.clusters().areFew()
                        ? "too few clusters (" + loss.clusters().count() + ")"
                        : "";
        if (!why.isEmpty()) {
            notes.add(cell.model() + " on " + cell.dataset() + " is left out: " + why);
        }
        return why.isEmpty();
    }

    /** A note where losses are not of one definition. */
    private static Optional<String> kinds(List<Cell> cells, boolean fixed) {
        Map<String, Set<String>> kinds = new LinkedHashMap<>();
        for (Cell cell : cells) {
            Result result = cell.queries().result();
            String placed = Objects.requireNonNullElse(result.settings().contentFixed(), ContentFixed.OF_BENCHMARK);
            List<String> names = cell.queries().placement().bucketNames();
            kinds.computeIfAbsent(
                            fixed ? placed : names.getFirst() + " and " + names.getLast(),
                            kind -> new LinkedHashSet<>())
                    .add(cell.dataset());
        }
        String each = kinds.entrySet().stream()
                .map(kind -> kind.getKey() + " on " + String.join(", ", kind.getValue()))
                .collect(Collectors.joining("; "));
        return kinds.size() < 2
                ? Optional.empty()
                : Optional.of((fixed ? "content held fixed in several ways: " : "front and back differ: ") + each);
    }

    private static List<String> shared(List<Cell> cells, boolean fixed) {
        Map<String, Set<String>> ids = new LinkedHashMap<>();
        for (Cell cell : cells) {
            ids.computeIfAbsent(cell.dataset(), dataset -> new HashSet<>(ids(cell.queries(), fixed)));
        }
        List<String> notes = new ArrayList<>();
        List<String> names = List.copyOf(ids.keySet());
        for (String first : names) {
            for (String second : names.subList(names.indexOf(first) + 1, names.size())) {
                Set<String> own = Objects.requireNonNull(ids.get(first));
                Set<String> other = Objects.requireNonNull(ids.get(second));
                long both = own.stream().filter(other::contains).count();
                if (both >= SHARED * Math.min(own.size(), other.size())) {
                    notes.add(first + " and " + second + " share " + Plural.of(both, "query identifier")
                            + ": if these are the same questions, intervals are too narrow; pool them first"
                            + " ('posbias pool')");
                }
            }
        }
        return notes;
    }

    private static List<String> ids(CellQueries cell, boolean fixed) {
        return fixed
                ? cell.places().stream().map(ScoresByPlace::query).toList()
                : cell.scores().queries().stream().map(Query::id).toList();
    }

    private static Model model(List<Cell> cells, RandomEffects.Weights weights, double confidence, Set<String> notes) {
        List<Line> lines = new ArrayList<>();
        List<BackLoss> losses = new ArrayList<>();
        for (Cell cell : cells) {
            BackLoss loss = Objects.requireNonNull(cell.loss());
            losses.add(loss);
            lines.add(new Line(
                    cell.model(),
                    cell.dataset(),
                    loss.queries(),
                    loss.clusters().count(),
                    loss.loss(confidence),
                    loss.standardError(),
                    null));
        }
        RandomEffects effects = effects(losses, weights, confidence);
        String model = cells.getFirst().model();
        if (effects == null) {
            notes.add(model + " has no estimate: a loss without error, as BM25's with moved evidence");
        }
        Line over = new Line(
                model,
                ALL,
                lines.stream().mapToInt(Line::queries).sum(),
                lines.stream().mapToInt(Line::clusters).sum(),
                effects == null ? null : BackLoss.share(effects.mean()),
                effects == null ? null : (Double) effects.standardError(),
                effects == null ? null : over(effects));
        return new Model(model, lines, over);
    }

    private static Over over(RandomEffects effects) {
        Interval prediction = effects.prediction();
        return new Over(
                effects.studies(),
                effects.tau(),
                effects.share(),
                prediction == null ? null : BackLoss.share(prediction));
    }

    private static @Nullable RandomEffects effects(
            List<BackLoss> losses, RandomEffects.Weights weights, double confidence) {
        double[] errors = losses.stream().mapToDouble(BackLoss::standardError).toArray();
        return losses.size() < RandomEffects.LEAST || losses.stream().anyMatch(loss -> loss.standardError() == 0)
                ? null
                : RandomEffects.of(losses.stream().mapToDouble(BackLoss::value).toArray(), errors, weights, confidence);
    }

    /** Pairs of models with estimates of their difference, adjusted for their number. */
    private static List<Pair> pairs(
            Map<String, List<Cell>> models, RandomEffects.Weights weights, double confidence, boolean fixed) {
        List<Pair> pairs = new ArrayList<>();
        List<String> names = List.copyOf(models.keySet());
        for (String first : names) {
            for (String second : names.subList(names.indexOf(first) + 1, names.size())) {
                List<BackLoss> differences = models.getOrDefault(second, List.of()).stream()
                        .flatMap(cell -> models.getOrDefault(first, List.of()).stream()
                                .filter(other -> isPaired(other, cell, fixed))
                                .map(other -> Objects.requireNonNull(cell.loss())
                                        .minus(Objects.requireNonNull(other.loss()))))
                        .toList();
                RandomEffects effects = effects(differences, weights, confidence);
                if (effects != null) {
                    pairs.add(new Pair(
                            first,
                            second,
                            effects.studies(),
                            BackLoss.share(effects.mean()),
                            effects.mean().pValue()));
                }
            }
        }
        double[] holm = Holm.adjust(pairs.stream().mapToDouble(Pair::holmPValue).toArray());
        List<Pair> adjusted = new ArrayList<>();
        for (Pair pair : pairs) {
            adjusted.add(new Pair(pair.first, pair.second, pair.benchmarks, pair.difference, holm[adjusted.size()]));
        }
        return adjusted;
    }

    /** True for cells of the same queries, placed in the same way. */
    private static boolean isPaired(Cell first, Cell second, boolean fixed) {
        if (!first.dataset().equals(second.dataset())) {
            return false;
        }
        CellQueries own = first.queries();
        return fixed
                ? own.isPlacedAs(
                                second.queries(),
                                own.result().settings().measure().toString())
                        && ids(own, true).equals(ids(second.queries(), true))
                : own.unpaired(second.queries()) == null
                        && own.placement()
                                .clustering()
                                .equals(second.queries().placement().clustering());
    }
}

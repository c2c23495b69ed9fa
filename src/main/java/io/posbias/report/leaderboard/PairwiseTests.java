package io.posbias.report.leaderboard;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Holm;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.Comparer;
import io.posbias.score.measure.Comparison;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.StoredCell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tests between all models of a benchmark, those of {@code posbias compare}: paired by query and clustered, adjusted by Holm
 * over the pairs of models for each number. Queries are read, and tests made, when a number is asked for.
 */
public final class PairwiseTests {
    /** Presentation of the outcomes in a table. */
    public enum Shown {
        LETTERS,
        FONTS,
        BOTH,
        NOTHING;

        boolean hasLetters() {
            return this == LETTERS || this == BOTH;
        }

        boolean hasFonts() {
            return this == FONTS || this == BOTH;
        }
    }

    /** Maximum number of models: their pairs need 13,000 draws, and there are 26 letters. */
    private static final int MOST = 26;

    private final Shown shown;
    private final int threads;
    private final Map<String, List<StoredCell>> cells;
    private final Map<Family, List<Pair>> pairs = new HashMap<>();
    private final Set<String> untested = new LinkedHashSet<>();

    /** Key of the tests that share their comparisons. */
    private record Family(String dataset, String measure, String stratum) {}

    private record Pair(String first, String second, Comparison comparison) {}

    /** Numbers of a profile whose differences are tested. */
    public sealed interface Tested {
        /** The mean over queries. */
        record Mean() implements Tested {}

        record Psi() implements Tested {}

        /** The mean of a bucket. */
        record Bucket(String name) implements Tested {}
    }

    /** @param cells may lack their queries, and are then in no test; nor are those of more than {@value #MOST} models */
    public PairwiseTests(List<StoredCell> cells, Shown shown, int threads) {
        this.shown = shown;
        this.threads = threads;
        this.cells = cells.stream()
                .filter(StoredCell::hasQueries)
                .collect(Collectors.groupingBy(
                        cell -> cell.result().dataset(), LinkedHashMap::new, Collectors.toList()));
        this.cells.values().removeIf(own -> {
            boolean isMany = own.size() > MOST;
            if (isMany) {
                untested.add("no tests of more than " + MOST + " models");
            }
            return isMany;
        });
    }

    /** Reasons for benchmarks without tests, as far as tests were asked for. */
    List<String> untested() {
        return List.copyOf(untested);
    }

    Shown shown() {
        return shown;
    }

    /** Returns true if a benchmark has two models with queries. */
    boolean has(String dataset) {
        return cells.getOrDefault(dataset, List.of()).size() > 1;
    }

    /** The largest number of pairs on a benchmark. */
    int pairs() {
        return cells.values().stream()
                .mapToInt(own -> own.size() * (own.size() - 1) / 2)
                .max()
                .orElse(0);
    }

    /** Confidence of the tests on the first benchmark. */
    public double confidence() {
        return cells.values().stream()
                .findFirst()
                .map(PairwiseTests::confidence)
                .orElse(Settings.USUAL.confidence());
    }

    /**
     * Names of the models that are better than a model beyond noise.
     *
     * @param stratum name of a length band, or {@link Strata#ALL}
     * @return null without tests: a result without queries, no second model, other queries, or a number without a test
     */
    public @Nullable Set<String> better(Result result, String measure, String stratum, Tested number) {
        List<StoredCell> own = cells.getOrDefault(result.dataset(), List.of());
        if (result.isPublished()
                || own.size() < 2
                || own.stream().noneMatch(cell -> cell.result().model().equals(result.model()))) {
            return null;
        }
        List<Pair> tests = pairs.computeIfAbsent(new Family(result.dataset(), measure, stratum), this::compare);
        List<@Nullable Double> p = new ArrayList<>();
        tests.forEach(pair -> p.add(pValue(pair.comparison(), number)));
        if (p.isEmpty() || p.contains(null)) {
            return null;
        }
        List<@Nullable Double> adjusted = Holm.adjustPresent(p);
        Set<String> better = new LinkedHashSet<>();
        for (int i = 0; i < tests.size(); i++) {
            Pair pair = tests.get(i);
            Double holm = adjusted.get(i);
            double gain = gain(pair.comparison(), number);
            if (holm != null && holm < 1 - confidence(own) && gain != 0) {
                String winner = gain > 0 ? pair.second() : pair.first();
                String loser = gain > 0 ? pair.first() : pair.second();
                if (loser.equals(result.model())) {
                    better.add(winner);
                }
            }
        }
        return better;
    }

    /**
     * Returns true if a model loses more at the back than another beyond noise, with the content held fixed: the interval of the
     * paired difference of the absolute losses is above 0. Null if their queries or places differ, or are not stored.
     */
    @Nullable
    Boolean losesMore(Result model, Result other, String measure) {
        List<CellQueries> both = Stream.of(other, model)
                .flatMap(result -> cells.getOrDefault(result.dataset(), List.of()).stream()
                        .filter(cell -> cell.result().model().equals(result.model())))
                .map(StoredCell::queries)
                .toList();
        if (both.size() < 2 || !both.getFirst().isPlacedAs(both.getLast(), measure)) {
            return null;
        }
        CellQueries first = both.getFirst();
        ContentFixedFit.Difference difference = new Comparer(first.result().settings(), threads)
                .byPlace(
                        measure,
                        first.placement(),
                        first.places(),
                        both.getLast().places());
        return (difference == null || difference.loss() == null)
                ? null
                : (Boolean) (difference.loss().magnitude().interval().low() > 0);
    }

    private static double confidence(List<StoredCell> own) {
        double confidence = own.getFirst().result().settings().confidence();
        return confidence > 0 ? confidence : Settings.USUAL.confidence();
    }

    /** All pairs; none if two cannot be paired. */
    private List<Pair> compare(Family family) {
        List<StoredCell> own = cells.getOrDefault(family.dataset(), List.of());
        try {
            CellQueries first = own.getFirst().queries();
            List<CellQueries> queries =
                    own.stream().map(cell -> cell.queries().inOrderOf(first)).toList();
            for (CellQueries cell : queries) {
                String why = unpaired(first, cell, family.measure());
                if (why != null) {
                    untested.add("no tests on " + family.dataset() + ": " + why);
                    return List.of();
                }
            }
            return compare(family, own, queries);
        } catch (PosbiasException broken) {
            untested.add("no tests on " + family.dataset() + ": " + broken.line());
            return List.of();
        }
    }

    private static @Nullable String unpaired(CellQueries first, CellQueries cell, String measure) {
        if (cell.of(measure) == null) {
            return cell.result().model() + " has no scores of " + measure;
        }
        String unpaired = first.unpaired(cell);
        return unpaired == null
                        && !first.placement()
                                .clustering()
                                .equals(cell.placement().clustering())
                ? "results have other clusters"
                : unpaired;
    }

    private List<Pair> compare(Family family, List<StoredCell> own, List<CellQueries> queries) {
        Settings settings = own.getFirst().result().settings().withConfidence(confidence(own));
        int draws = settings.draws() == 0
                ? 0
                : Math.max(settings.draws(), Holm.draws(own.size() * (own.size() - 1) / 2, 1 - confidence(own)));
        Comparer comparer = new Comparer(settings.withDraws(draws), threads);
        List<double[]> scores = queries.stream()
                .map(cell -> Objects.requireNonNull(cell.of(family.measure())))
                .toList();
        List<Pair> made = new ArrayList<>();
        for (int first = 0; first < own.size(); first++) {
            for (int second = first + 1; second < own.size(); second++) {
                Comparison comparison = comparer.compare(
                        family.measure(),
                        family.stratum(),
                        scores.get(first),
                        scores.get(second),
                        queries.getFirst().placement());
                if (comparison != null) {
                    made.add(new Pair(
                            own.get(first).result().model(),
                            own.get(second).result().model(),
                            comparison));
                }
            }
        }
        return made;
    }

    private static @Nullable Double pValue(Comparison comparison, Tested number) {
        Estimate difference = difference(comparison, number);
        return number instanceof Tested.Mean
                ? (Double) comparison.pValue()
                : difference == null ? null : (Double) difference.pValue();
    }

    private static @Nullable Estimate difference(Comparison comparison, Tested number) {
        return switch (number) {
            case Tested.Mean mean -> comparison.difference();
            case Tested.Psi psi ->
                comparison.psi() == null ? null : comparison.psi().difference();
            case Tested.Bucket bucket ->
                comparison.buckets().stream()
                        .filter(own -> own.bucket().equals(bucket.name()))
                        .findFirst()
                        .map(Comparison.Bucket::difference)
                        .orElse(null);
        };
    }

    /** The second model's advantage; PSI is better when it is lower. */
    private static double gain(Comparison comparison, Tested number) {
        Estimate difference = difference(comparison, number);
        double value = difference == null ? 0 : difference.value();
        return number instanceof Tested.Psi ? -value : value;
    }
}

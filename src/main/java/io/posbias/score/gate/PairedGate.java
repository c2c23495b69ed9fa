package io.posbias.score.gate;

import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Holm;
import io.posbias.base.stats.Interval;
import io.posbias.data.position.Bucketing;
import io.posbias.data.position.Strata;
import io.posbias.score.gate.Check.Change;
import io.posbias.score.gate.Check.Outcome;
import io.posbias.score.measure.Comparer;
import io.posbias.score.measure.Comparison;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Result;
import io.posbias.score.result.RunKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares versions of a model query by query, so that noise passes: a condition holds when the whole interval of a change
 * lies beyond it. The means of a measure are its query mean and the mean of each bucket. With m numbers tested each
 * interval has confidence 1 - (1 - confidence) / m (Bonferroni), so the chance that noise alone fails the gate is at most
 * 1 - confidence, whatever the number of buckets, models and datasets. Where any change fails, numbers are compared exactly.
 *
 * @param settings draws of the bootstrap of PSI, more if the number of tests needs them, see {@link Holm#draws}
 * @param threads how many threads may work; results do not depend on it
 */
public record PairedGate(List<Condition> conditions, Settings settings, int threads) {
    public PairedGate {
        conditions = List.copyOf(conditions);
    }

    /**
     * Default conditions, of what both versions have: PSI up by 0.01, also with the content held fixed if all hold it so, and a mean
     * of the first measure of both down by half a point.
     */
    public static List<Condition> usual(List<Versions> cells) {
        List<Condition> conditions = new ArrayList<>(Condition.parseAll("psi>+0.01"));
        if (!cells.isEmpty() && cells.stream().allMatch(cell -> cell.isPlaced(cell.measure()))) {
            conditions.addAll(Condition.parseAll("cpsi>+0.01"));
        }
        conditions.add(new Condition("", Condition.Quantity.MEANS, false, new BigDecimal("-0.005")));
        return conditions;
    }

    /** Model on a dataset before and after a change. */
    public record Versions(CellQueries before, CellQueries after) {
        public Versions {
            before = before.inOrderOf(after);
        }

        String cell() {
            return after.result().model() + " on " + after.result().dataset();
        }

        private List<String> measures() {
            return after.result().settings().names().stream()
                    .filter(name -> before.of(name) != null && after.of(name) != null)
                    .toList();
        }

        /** The first measure of both. */
        String measure() {
            return measures().stream()
                    .findFirst()
                    .orElseThrow(() -> new UsageException(cell() + ": no measure is in both results"));
        }

        boolean isPlaced(String measure) {
            return before.isPlacedAs(after, measure);
        }

        /** @throws UsageException if both do not have the measure */
        void require(String measure) {
            if (!measures().contains(measure)) {
                throw new UsageException("--fail-on: " + measure + " was not measured in both results of " + cell()
                        + (measures().isEmpty() ? "" : "; both have " + String.join(", ", measures())));
            }
        }
    }

    private static UsageException notFixed(Versions cell, Condition condition) {
        return new UsageException(
                "--fail-on " + condition.quantity() + ": the content was not held fixed in the same way"
                        + " in both results of " + cell.cell() + " (posbias eval --content-fixed)");
    }

    private record GatedNumber(Versions versions, Condition condition, String measure, String bucket) {
        String number() {
            return switch (condition.quantity()) {
                case PSI -> "psi of " + measure;
                case CPSI -> "cpsi of " + measure;
                case LOSS -> "loss of " + measure;
                case MEANS, ANY -> bucket.isEmpty() ? measure + ", query_mean" : measure + ", bucket " + bucket;
            };
        }

        boolean isDrawn() {
            return condition.quantity() == Condition.Quantity.PSI || condition.quantity() == Condition.Quantity.CPSI;
        }
    }

    /** Returns the confidence of each of several intervals that hold together with a confidence (Bonferroni). */
    static double each(double confidence, long tests) {
        return 1 - (1 - confidence) / tests;
    }

    public GateReport compare(List<Versions> cells, List<Check> missing) {
        List<Check> checks = new ArrayList<>(missing);
        boolean exactly = conditions.getFirst().quantity() == Condition.Quantity.ANY;
        List<GatedNumber> tests = new ArrayList<>();
        for (Versions cell : cells) {
            recipeNote(cell, checks);
            int before = checks.size();
            incomparable(cell, exactly, checks);
            if (checks.size() == before && exactly) {
                ExactCheck.add(cell, checks);
            } else if (checks.size() == before) {
                conditions.forEach(condition -> tests(cell, condition, tests, checks));
            }
        }
        boolean isDrawn = tests.stream().anyMatch(GatedNumber::isDrawn);
        int made = isDrawn
                ? Math.max(settings.draws(), Holm.draws(tests.size(), 1 - settings.confidence()))
                : settings.draws();
        double each = tests.isEmpty() ? settings.confidence() : each(settings.confidence(), tests.size());
        // Conditions on the same measure of a cell share a comparison.
        Map<List<String>, Comparison> comparisons = new HashMap<>();
        Map<List<String>, Optional<ContentFixedFit.Difference>> fixed = new HashMap<>();
        for (GatedNumber test : tests) {
            List<String> key = List.of(test.versions().cell(), test.measure());
            Change change = isFixed(test.condition())
                    ? change(
                            test,
                            fixed.computeIfAbsent(key, first -> byPlace(test, comparer(made, each)))
                                    .orElse(null))
                    : change(test, comparisons.computeIfAbsent(key, first -> comparison(test, comparer(made, each))));
            checks.add(check(test, change));
        }
        String more = made > settings.draws() ? ", " + made + " draws, which the number of tests needs" : "";
        return new GateReport(
                checks,
                exactly
                        ? ", compared exactly"
                        : String.format(Locale.ROOT, " (query by query, intervals of %.4g%%%s)", 100 * each, more));
    }

    private static void recipeNote(Versions cell, List<Check> checks) {
        Result before = cell.before().result();
        Result after = cell.after().result();
        if (before.provenance().recipeSha256().equals(after.provenance().recipeSha256())) {
            return;
        }
        List<String> changes = EvaluatedModel.changes(before.recipe(), after.recipe());
        String what = changes.isEmpty() ? "its files" : String.join(", ", changes);
        checks.add(new Check(
                cell.cell(), "recipe", Outcome.NOTE, "note: " + cell.cell() + ": the recipe changed: " + what, null));
    }

    private static void incomparable(Versions cell, boolean exactly, List<Check> checks) {
        Result before = cell.before().result();
        Result after = cell.after().result();
        Bucketing buckets = after.settings().bucketing();
        String unpaired = cell.before().unpaired(cell.after());
        if (!before.provenance().datasetSha256().equals(after.provenance().datasetSha256())) {
            String files = RunKey.changed(
                    before.provenance().datasetSha256(), after.provenance().datasetSha256());
            checks.add(changed(cell, "dataset", "the dataset changed: " + files));
        } else if (!before.settings().bucketing().equals(buckets)) {
            String reason = "the buckets changed: " + before.settings().bucketing() + " -> " + buckets;
            checks.add(changed(cell, "buckets", reason));
        } else if (cell.before().unit() != cell.after().unit()) {
            String reason = "the unit of intervals changed: " + cell.before().unit() + " -> "
                    + cell.after().unit() + ": store the baseline again, or give --cluster passage";
            checks.add(changed(cell, "cluster", reason));
        } else if (unpaired != null) {
            checks.add(changed(cell, "queries", "the queries cannot be paired: " + unpaired));
        } else if (!exactly && isOneCluster(cell.after().placement())) {
            String line = "missing: " + cell.cell()
                    + ": fewer than two queries, or all of one cluster: nothing can be tested";
            checks.add(new Check(cell.cell(), "queries", Outcome.MISSING, line, null));
        }
    }

    /** Returns true if only this quantity is compared; a gate without any comparison must not pass. */
    private boolean isAllOf(Condition.Quantity quantity) {
        return conditions.stream().allMatch(own -> own.quantity() == quantity);
    }

    private static boolean isOneCluster(QueryBuckets placement) {
        return placement.clustering().clusters().count() < 2;
    }

    private static Check changed(Versions cell, String number, String reason) {
        return new Check(cell.cell(), number, Outcome.CHANGED, "changed: " + cell.cell() + ": " + reason, null);
    }

    private void tests(Versions cell, Condition condition, List<GatedNumber> tests, List<Check> checks) {
        String measure = condition.measure().isEmpty() ? cell.measure() : condition.measure();
        cell.require(measure);
        if (isFixed(condition) && !cell.isPlaced(measure)) {
            throw notFixed(cell, condition);
        }
        if (condition.quantity() == Condition.Quantity.PSI
                && cell.after().placement().bucketNames().isEmpty()) {
            String number = "psi of " + measure;
            Outcome outcome = isAllOf(Condition.Quantity.PSI) ? Outcome.MISSING : Outcome.NOTE;
            String line = outcome + ": " + cell.cell() + ": no " + number + ": no query says where its evidence is";
            checks.add(new Check(cell.cell(), number, outcome, line, null));
            return;
        }
        tests.add(new GatedNumber(cell, condition, measure, ""));
        if (condition.quantity() == Condition.Quantity.MEANS) {
            QueryBuckets placement = cell.after().placement();
            int[] clusters = placement.clusters();
            for (int bucket = 0; bucket < clusters.length; bucket++) {
                GatedNumber test = new GatedNumber(
                        cell, condition, measure, placement.bucketNames().get(bucket));
                int queries = placement.count(Strata.ALL, bucket);
                if (clusters[bucket] > 1) {
                    tests.add(test);
                } else if (queries > 1) {
                    String line = "note: " + cell.cell() + ": " + test.number() + ": its " + queries
                            + " queries are one cluster: not tested";
                    checks.add(new Check(cell.cell(), test.number(), Outcome.NOTE, line, null));
                }
            }
        }
    }

    private static boolean isFixed(Condition condition) {
        return condition.quantity() == Condition.Quantity.CPSI || condition.quantity() == Condition.Quantity.LOSS;
    }

    private Comparer comparer(int made, double each) {
        return new Comparer(settings.withDraws(made).withConfidence(each), threads);
    }

    private static Comparison comparison(GatedNumber test, Comparer comparer) {
        Comparison comparison = comparer.compare(
                test.measure(),
                Strata.ALL,
                Objects.requireNonNull(test.versions().before().of(test.measure())),
                Objects.requireNonNull(test.versions().after().of(test.measure())),
                test.versions().after().placement());
        return Objects.requireNonNull(comparison, "a cell of one cluster has no test");
    }

    private static Optional<ContentFixedFit.Difference> byPlace(GatedNumber test, Comparer comparer) {
        CellQueries after = test.versions().after();
        return Optional.ofNullable(comparer.byPlace(
                test.measure(), after.placement(), test.versions().before().places(), after.places()));
    }

    private Check check(GatedNumber test, Change change) {
        String cell = test.versions().cell();
        String place = cell + ": " + test.number();
        Interval interval = change.interval();
        if (interval == null && change.before() == null) {
            String line = "changed: " + place + " is undefined";
            return new Check(cell, test.number(), Outcome.CHANGED, line, change);
        }
        if (interval == null) {
            Outcome outcome = isAllOf(test.condition().quantity()) ? Outcome.MISSING : Outcome.NOTE;
            String line =
                    outcome + ": " + place + ": too few queries in a bucket, or scores that do not vary: not tested";
            return new Check(cell, test.number(), outcome, line, change);
        }
        Condition condition = test.condition();
        Outcome outcome = condition.holds(interval)
                ? Outcome.WORSE
                : condition.isExcludedBy(interval) ? Outcome.SAME : Outcome.NOT_DECIDED;
        String line = String.format(
                Locale.ROOT,
                "%s: %s: %.4f -> %.4f, change %+.4f [%+.4f, %+.4f] is %s%s",
                outcome,
                place,
                change.before(),
                change.after(),
                change.change(),
                interval.low(),
                interval.high(),
                outcome == Outcome.WORSE ? "" : outcome == Outcome.SAME ? "not " : "not clearly ",
                condition.limit());
        return new Check(cell, test.number(), outcome, line, change);
    }

    private static Change change(GatedNumber test, ContentFixedFit.@Nullable Difference difference) {
        if (test.condition().quantity() == Condition.Quantity.CPSI) {
            return change(difference == null ? null : difference.cpsi());
        }
        PositionLoss.Change loss = difference == null ? null : difference.loss();
        return loss == null
                ? new Change(null, null, null)
                : new Change(loss.first(), loss.second(), loss.difference().interval());
    }

    private static Change change(Comparison.@Nullable PsiDifference psi) {
        Estimate difference = psi == null ? null : psi.difference();
        return psi == null
                ? new Change(null, null, null)
                : new Change(psi.first(), psi.second(), difference == null ? null : difference.interval());
    }

    private static Change change(GatedNumber test, Comparison comparison) {
        if (test.condition().quantity() == Condition.Quantity.PSI) {
            return change(comparison.psi());
        }
        if (test.bucket().isEmpty()) {
            return new Change(
                    comparison.firstMean(),
                    comparison.secondMean(),
                    comparison.difference().interval());
        }
        Comparison.Bucket bucket = comparison.buckets().stream()
                .filter(own -> own.bucket().equals(test.bucket()))
                .findFirst()
                .orElseThrow();
        return new Change(
                bucket.firstMean(),
                bucket.secondMean(),
                Objects.requireNonNull(bucket.difference(), "buckets of one cluster are not tested")
                        .interval());
    }
}

package io.posbias.gate;

import io.posbias.gate.Check.Change;
import io.posbias.gate.Check.Outcome;
import io.posbias.measure.Bias;
import io.posbias.measure.Comparer;
import io.posbias.measure.Comparison;
import io.posbias.measure.ContentFixedFit;
import io.posbias.measure.QueryBuckets;
import io.posbias.position.Strata;
import io.posbias.result.Differences;
import io.posbias.result.FinishedCell;
import io.posbias.result.Result;
import io.posbias.retrieve.Recipe;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares versions of a model query by query, so that noise passes: a condition holds when the whole interval of a change
 * lies beyond it. The means of a measure are its query mean and the mean of each bucket. With m numbers tested each
 * interval has confidence 1 - (1 - confidence) / m (Bonferroni), so the chance that noise alone fails the gate is at most
 * 1 - confidence, whatever the number of buckets, models and datasets. Where any change fails, numbers are compared exactly.
 *
 * @param conditions what to fail on
 * @param draws of the bootstrap behind changes of PSI
 * @param seed of these draws
 * @param confidence of the gate as a whole
 * @param threads how many threads may work; results do not depend on it
 */
public record PairedGate(List<Condition> conditions, int draws, long seed, double confidence, int threads) {
    /** Copies the conditions. */
    public PairedGate {
        conditions = List.copyOf(conditions);
    }

    /** What is most often meant: PSI up by a hundredth, a mean down by half a point. */
    public static List<Condition> usual(List<Result> results) {
        boolean fixed = results.stream().allMatch(result -> result.settings().contentFixed() != null);
        String measures = results.stream()
                .map(result -> result.settings().measures().getFirst() + "<-0.005")
                .distinct()
                .collect(Collectors.joining(","));
        return Condition.parseAll("psi>+0.01," + (fixed ? "cpsi>+0.01," : "") + measures);
    }

    /**
     * A model on a dataset before and after a change.
     *
     * @param before the queries of the baseline
     * @param after those of today
     */
    public record Versions(FinishedCell.Queries before, FinishedCell.Queries after) {
        String cell() {
            return after.result().model() + " on " + after.result().dataset();
        }
    }

    /** A number to test. */
    private record GatedNumber(Versions versions, Condition condition, String measure, String bucket) {
        String number() {
            if (condition.quantity() == Condition.Quantity.PSI) {
                return "psi of " + measure;
            }
            if (condition.quantity() == Condition.Quantity.CPSI) {
                return "cpsi of " + measure;
            }
            return bucket.isEmpty() ? measure + ", query_mean" : measure + ", bucket " + bucket;
        }
    }

    /**
     * Compares.
     *
     * @param missing checks of what is not there
     */
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
        double each = tests.isEmpty() ? confidence : 1 - (1 - confidence) / tests.size();
        // Conditions on the same measure of a cell share a comparison.
        Map<List<String>, Comparison> comparisons = new HashMap<>();
        for (GatedNumber test : tests) {
            List<String> key = List.of(test.versions().cell(), test.measure());
            checks.add(check(test, comparisons.computeIfAbsent(key, first -> comparison(test, each)), each));
        }
        return new GateReport(
                checks,
                exactly ? " exactly" : String.format(Locale.ROOT, " query by query, intervals of %.4g%%", 100 * each));
    }

    private static void recipeNote(Versions cell, List<Check> checks) {
        Result before = cell.before().result();
        Result after = cell.after().result();
        if (before.provenance().recipeSha256().equals(after.provenance().recipeSha256())) {
            return;
        }
        String changes = Differences.of(before.recipe(), after.recipe(), Recipe.LABELS).stream()
                .map(change -> change.field() + " " + change.first() + " -> " + change.second())
                .collect(Collectors.joining(", "));
        String what = changes.isEmpty() ? "its files" : changes;
        checks.add(new Check(
                cell.cell(), "recipe", Outcome.NOTE, "note: " + cell.cell() + ": the recipe changed: " + what, null));
    }

    private static void incomparable(Versions cell, boolean exactly, List<Check> checks) {
        Result before = cell.before().result();
        Result after = cell.after().result();
        String buckets = after.settings().buckets();
        String unpaired = cell.before().unpaired(cell.after());
        if (!before.provenance().datasetSha256().equals(after.provenance().datasetSha256())) {
            String files = Differences.ofFiles(
                    before.provenance().datasetSha256(), after.provenance().datasetSha256());
            checks.add(changed(cell, "dataset", "the dataset changed: " + files));
        } else if (!before.settings().buckets().equals(buckets)) {
            String reason = "the buckets changed: " + before.settings().buckets() + " -> " + buckets;
            checks.add(changed(cell, "buckets", reason));
        } else if (unpaired != null) {
            checks.add(changed(cell, "queries", "the queries cannot be paired: " + unpaired));
        } else if (!exactly && isOneCluster(cell.after().placement())) {
            String line = "missing: " + cell.cell()
                    + ": fewer than two queries, or all of one cluster: nothing can be tested";
            checks.add(new Check(cell.cell(), "queries", Outcome.MISSING, line, null));
        }
    }

    private static boolean isOneCluster(QueryBuckets placement) {
        return placement.units().clusters().count() < 2;
    }

    private static Check changed(Versions cell, String number, String reason) {
        return new Check(cell.cell(), number, Outcome.CHANGED, "changed: " + cell.cell() + ": " + reason, null);
    }

    private void tests(Versions cell, Condition condition, List<GatedNumber> tests, List<Check> checks) {
        String measure = condition.measure().isEmpty()
                ? cell.after().result().settings().measures().getFirst()
                : condition.measure();
        if (cell.before().of(measure) == null || cell.after().of(measure) == null) {
            String line = "missing: " + cell.cell() + ": " + measure + " was not measured in both";
            checks.add(new Check(cell.cell(), measure, Outcome.MISSING, line, null));
            return;
        }
        if (condition.quantity() == Condition.Quantity.CPSI && !arePlaced(cell)) {
            String line = "missing: " + cell.cell() + ": the content was not held fixed in the same way in both";
            checks.add(new Check(cell.cell(), "cpsi", Outcome.MISSING, line, null));
            return;
        }
        if (condition.quantity() == Condition.Quantity.PSI
                && cell.after().placement().bucketNames().isEmpty()) {
            String number = "psi of " + measure;
            // A gate that has nothing else to look at must not pass.
            Outcome outcome = conditions.stream().allMatch(own -> own.quantity() == Condition.Quantity.PSI)
                    ? Outcome.MISSING
                    : Outcome.NOTE;
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

    private static boolean arePlaced(Versions cell) {
        String how = cell.before().result().settings().contentFixed();
        return how != null && how.equals(cell.after().result().settings().contentFixed());
    }

    private Comparison comparison(GatedNumber test, double each) {
        Comparison comparison = new Comparer(draws, seed, each, threads)
                .compare(
                        test.measure(),
                        Strata.ALL,
                        Objects.requireNonNull(test.versions().before().of(test.measure())),
                        Objects.requireNonNull(test.versions().after().of(test.measure())),
                        test.versions().after().placement());
        return Objects.requireNonNull(comparison, "a cell of one cluster has no test");
    }

    private Check check(GatedNumber test, Comparison comparison, double each) {
        Change change = change(test, comparison, each);
        String place = test.versions().cell() + ": " + test.number();
        Interval interval = change.interval();
        if (interval == null) {
            String line = "changed: " + place + " is undefined";
            return new Check(test.versions().cell(), test.number(), Outcome.CHANGED, line, change);
        }
        boolean fails = test.condition().holds(interval);
        String line = String.format(
                Locale.ROOT,
                "%s: %s: %.4f -> %.4f, change %+.4f [%+.4f, %+.4f] is %s%s",
                fails ? "worse" : "same",
                place,
                change.before(),
                change.after(),
                Objects.requireNonNull(change.after()) - Objects.requireNonNull(change.before()),
                interval.low(),
                interval.high(),
                fails ? "" : "not clearly ",
                test.condition().limit());
        return new Check(test.versions().cell(), test.number(), fails ? Outcome.WORSE : Outcome.SAME, line, change);
    }

    private Change change(GatedNumber test, Comparison comparison, double each) {
        if (test.condition().quantity() != Condition.Quantity.MEANS) {
            Comparison.PsiDifference psi =
                    test.condition().quantity() == Condition.Quantity.PSI ? comparison.psi() : cpsi(test, each);
            Estimate difference = psi == null ? null : psi.difference();
            return psi == null || difference == null
                    ? new Change(null, null, null)
                    : new Change(psi.first(), psi.second(), difference.interval());
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

    private Comparison.@Nullable PsiDifference cpsi(GatedNumber test, double each) {
        FinishedCell.Queries after = test.versions().after();
        ContentFixedFit.Difference difference = new ContentFixedFit(
                        test.measure(),
                        "",
                        after.placement().units().by(),
                        draws,
                        seed,
                        each,
                        Bias.EQUIVALENCE,
                        threads)
                .compare(test.versions().before().places(), after.places());
        return difference == null ? null : difference.cpsi();
    }
}

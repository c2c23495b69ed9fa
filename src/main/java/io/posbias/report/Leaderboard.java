package io.posbias.report;

import io.posbias.measure.BucketMean;
import io.posbias.measure.MacroMean;
import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.stats.Correlation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Many results in one table, models grouped by family, as the papers print them. */
public final class Leaderboard {
    private static final String PUBLISHED = "published";

    private final List<Result> results;
    private final String measure;

    /**
     * A leaderboard of results that have a profile of a measure.
     *
     * @param results in the order in which models should stand within their family
     * @param measure the measure's name
     */
    public Leaderboard(List<Result> results, String measure) {
        this.results = results.stream()
                .filter(result -> result.measures().contains(measure))
                .toList();
        this.measure = measure;
    }

    /** Whether nothing is left to show. */
    public boolean isEmpty() {
        return results.isEmpty();
    }

    /** One row a model, for each benchmark a column for each bucket and one for PSI: the SQuAD-PosQ paper's Table 1. */
    public Table byPosition() {
        Map<String, Profile> columns = new LinkedHashMap<>();
        results.forEach(result -> columns.putIfAbsent(result.dataset(), all(result)));
        List<Table.Group> groups = new ArrayList<>(List.of(new Table.Group("", 1)));
        List<String> header = new ArrayList<>(List.of("model"));
        columns.forEach((dataset, profile) -> {
            groups.add(new Table.Group(dataset, profile.buckets().size() + 1));
            profile.buckets().forEach(bucket -> header.add(bucket.bucket()));
            header.add("PSI");
        });
        List<Table.Row> rows = new ArrayList<>();
        Families.group(results).forEach((family, members) -> {
            rows.add(new Table.Row(List.of(family)));
            byModel(members).forEach((model, cells) -> rows.add(positionRow(model, cells, columns)));
        });
        boolean thin = results.stream()
                .flatMap(result -> all(result).buckets().stream())
                .anyMatch(Numbers::isMarked);
        return new Table(
                measure + " in points (x100) by position of the evidence",
                groups,
                header,
                rows,
                thin ? List.of(Numbers.THIN + " few queries: the mean says little") : List.of());
    }

    private Profile all(Result result) {
        return Objects.requireNonNull(result.profile(measure, Strata.ALL), "every result has the stratum all");
    }

    private static Map<String, List<Result>> byModel(List<Result> results) {
        Map<String, List<Result>> rows = new LinkedHashMap<>();
        results.forEach(result ->
                rows.computeIfAbsent(label(result), name -> new ArrayList<>()).add(result));
        return rows;
    }

    private static String label(Result result) {
        return isPublished(result) ? result.model() + " (published)" : result.model();
    }

    /** Whether a result is a paper's, not one of posbias. */
    public static boolean isPublished(Result result) {
        return PUBLISHED.equals(result.recipe().get("kind"));
    }

    private Table.Row positionRow(String model, List<Result> cells, Map<String, Profile> columns) {
        List<String> row = new ArrayList<>(List.of(model));
        columns.forEach((dataset, sample) -> {
            Profile profile = cells.stream()
                    .filter(cell -> cell.dataset().equals(dataset))
                    .findFirst()
                    .map(this::all)
                    .orElse(null);
            for (BucketMean bucket : sample.buckets()) {
                row.add(bucketCell(profile, bucket.bucket()));
            }
            row.add(Numbers.fraction(profile == null ? null : profile.psi().value()));
        });
        return new Table.Row(row);
    }

    private static String bucketCell(@Nullable Profile profile, String bucket) {
        if (profile == null) {
            return Numbers.NONE;
        }
        return profile.buckets().stream()
                .filter(own -> own.bucket().equals(bucket))
                .findFirst()
                .map(Numbers::points)
                .orElse(Numbers.NONE);
    }

    /**
     * One row a model and benchmark, a column for the mean over all queries and one for the mean of bucket means in each
     * band of length, then PSI likewise: PosIR's Tables 10 and 11.
     */
    public Table byLength() {
        List<Table.Row> rows = new ArrayList<>();
        Families.group(results).forEach((family, members) -> {
            rows.add(new Table.Row(List.of(family)));
            members.forEach(result -> rows.add(lengthRow(label(result), result.dataset(), stratum -> {
                Profile profile = result.profile(measure, stratum);
                return profile == null ? null : MacroMean.of(List.of(profile));
            })));
        });
        return lengthTable(rows, List.of());
    }

    /**
     * One row a model: the plain mean over its benchmarks, each counting once, as PosIR's Table 2 is over languages.
     *
     * @param benchmark the mean of other models on another benchmark, by their names; where at least three models are
     *     known there, a row says how the order of models agrees with it; may be empty
     * @param benchmarkName what to call that benchmark
     */
    public Table byLengthAveraged(Map<String, Double> benchmark, String benchmarkName) {
        List<Table.Row> rows = new ArrayList<>();
        Map<String, Map<String, MacroMean>> known = new LinkedHashMap<>();
        Set<String> datasets = new LinkedHashSet<>();
        results.forEach(result -> datasets.add(result.dataset()));
        List<String> notes = new ArrayList<>();
        Families.group(results).forEach((family, members) -> {
            rows.add(new Table.Row(List.of(family)));
            byModel(members).forEach((model, cells) -> {
                Map<String, MacroMean> means = averages(cells);
                rows.add(lengthRow(model, "mean of " + cells.size(), means::get));
                if (cells.size() < datasets.size()) {
                    notes.add(model + " covers " + cells.size() + " of " + datasets.size() + " datasets");
                }
                String name = cells.getFirst().model();
                if (benchmark.containsKey(name)) {
                    known.put(name, means);
                }
            });
        });
        if (known.size() >= 3) {
            rows.addAll(correlationRows(known, benchmark, benchmarkName));
        }
        return lengthTable(rows, notes);
    }

    private Map<String, MacroMean> averages(List<Result> cells) {
        Map<String, MacroMean> means = new LinkedHashMap<>();
        for (String stratum : strata()) {
            List<Profile> profiles = cells.stream()
                    .map(cell -> cell.profile(measure, stratum))
                    .filter(Objects::nonNull)
                    .toList();
            if (profiles.size() == cells.size()) {
                means.put(stratum, MacroMean.of(profiles));
            }
        }
        return means;
    }

    private List<Table.Row> correlationRows(
            Map<String, Map<String, MacroMean>> models, Map<String, Double> benchmark, String benchmarkName) {
        double[] reference =
                models.keySet().stream().mapToDouble(benchmark::get).toArray();
        List<String> rho = new ArrayList<>(List.of("Spearman's rho", "with " + benchmarkName));
        List<String> p = new ArrayList<>(List.of("p-value", ""));
        for (String stratum : strata()) {
            double[] own = models.values().stream()
                    .mapToDouble(means -> points(means.get(stratum), stratum))
                    .toArray();
            Correlation correlation = Correlation.spearman(reference, own);
            rho.add(Numbers.fraction(correlation.coefficient()));
            p.add(Numbers.fraction(correlation.pValue()));
        }
        int width = 2 + 2 * strata().size();
        return List.of(
                new Table.Row(List.of("Agreement with " + benchmarkName)),
                new Table.Row(new Table.Row(rho).padded(width)),
                new Table.Row(new Table.Row(p).padded(width)));
    }

    private static double points(@Nullable MacroMean mean, String stratum) {
        Double value = mean == null ? null : value(mean, stratum);
        return value == null ? Double.NaN : value;
    }

    /** The mean over queries for all of them, the mean of bucket means within a band: PosIR's two averages. */
    private static @Nullable Double value(MacroMean mean, String stratum) {
        return stratum.equals(Strata.ALL) ? mean.queryMean() : mean.bucketMean();
    }

    private List<String> strata() {
        Set<String> strata = new LinkedHashSet<>();
        results.forEach(result -> strata.addAll(result.strata()));
        return List.copyOf(strata);
    }

    /** Numbers of a row by stratum. */
    @FunctionalInterface
    private interface ByStratum {
        @Nullable
        MacroMean of(String stratum);
    }

    private Table.Row lengthRow(String model, String dataset, ByStratum numbers) {
        List<String> cells = new ArrayList<>(List.of(model, dataset));
        for (String stratum : strata()) {
            MacroMean mean = numbers.of(stratum);
            cells.add(Numbers.points(mean == null ? null : value(mean, stratum)));
        }
        for (String stratum : strata()) {
            MacroMean mean = numbers.of(stratum);
            cells.add(Numbers.fraction(mean == null ? null : mean.psi()));
        }
        return new Table.Row(cells);
    }

    private Table lengthTable(List<Table.Row> rows, List<String> notes) {
        int width = strata().size();
        List<Table.Group> groups =
                List.of(new Table.Group("", 2), new Table.Group(measure, width), new Table.Group("PSI", width));
        List<String> header = new ArrayList<>(List.of("model", "dataset"));
        header.addAll(strata());
        header.addAll(strata());
        List<String> all = new ArrayList<>(List.of(
                "all: mean over queries; Q1 to Q4, bands of token length: mean of the means of position buckets"));
        all.addAll(notes);
        return new Table(measure + " in points (x100) by length of the passage", groups, header, rows, all);
    }
}

package io.posbias.score.over;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.json.Fields;
import io.posbias.base.stats.Bootstrap;
import io.posbias.base.stats.Correlation;
import io.posbias.base.stats.CorrelationDifference;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Holm;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.text.Suggestions;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Agreement of results with the order of models on another benchmark. */
public final class Agreement {
    private static final int LEAST = 3;

    private Agreement() {}

    public enum Column {
        /** Mean over queries for all of them, mean of bucket means within a band of length: PosIR's two averages. */
        POSIR,
        QUERY_MEAN,
        BUCKET_MEAN,
        PSI;

        @Nullable
        Double of(Profile profile) {
            return switch (this) {
                case POSIR -> profile.average();
                case QUERY_MEAN -> profile.queryMean();
                case BUCKET_MEAN -> profile.bucketMean();
                case PSI -> profile.psi().value();
            };
        }

        @Override
        public String toString() {
            return Suggestions.word(this);
        }
    }

    /**
     * A row.
     *
     * @param models in both, in the order of the results
     * @param spearmanInterval null for fewer than four models and for a rho of -1 or 1
     * @param pearson null for fewer than three models or if one side is constant, as the others
     */
    public record AgreementRow(
            @Meaning("name of the benchmark, or number of averaged benchmarks")
            String dataset,

            String stratum,
            @Meaning("models with both numbers") int n,
            List<String> models,

            @Meaning(value = "Spearman's rho of both numbers, and its p-value against 0", unit = "correlation")
            @Nullable
            Correlation spearman,

            @Nullable Interval spearmanInterval,

            @Meaning(value = "Kendall's tau-b, and its p-value against 0", unit = "correlation") @Nullable
            Correlation kendall,

            @Meaning(value = "Pearson's r, and its p-value against 0", unit = "correlation") @Nullable
            Correlation pearson,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            RhoDifference difference) {
        public AgreementRow {
            models = List.copyOf(models);
        }
    }

    /**
     * Spearman's rho of another row minus that of this one, over the models of both.
     *
     * @param against the other row: the first band of length of the benchmark, or the first benchmark
     */
    public record RhoDifference(
            @Meaning("benchmark or band of the row that this one is compared with")
            String against,

            @Meaning("models of both rows") int n,

            @Meaning(value = "rho of that row minus rho of this one", unit = "correlation")
            Estimate rho,

            @JsonProperty("holm_p_value") @Meaning("p adjusted for all differences, Holm 1979")
            double holmPValue,

            @Meaning("the model without which the difference changes most")
            String without,

            @Meaning(value = "rho of that row without this model", unit = "correlation") @Nullable
            Double againstWithout,

            @Meaning(value = "rho of this row without this model", unit = "correlation") @Nullable
            Double ownWithout) {
        RhoDifference adjusted(double holm) {
            return new RhoDifference(against, n, rho, holm, without, againstWithout, ownWithout);
        }
    }

    /** The models' numbers of a row. */
    private record Numbers(String dataset, String stratum, Map<String, Double> y) {}

    /**
     * Reads the other benchmark: a CSV file with a column {@code model} and a column of numbers, or results as JSON, of which
     * means over queries are taken.
     *
     * @param column its name; null for the first after the model
     */
    public static Map<String, Double> read(Path file, @Nullable String column, String measure) {
        return file.toString().endsWith(".json")
                ? numbers(ResultFile.read(file), measure, Strata.ALL, Column.QUERY_MEAN)
                : read(file, column);
    }

    private static Map<String, Double> read(Path file, @Nullable String column) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (Fields row : CsvRows.read(file)) {
            String model = row.text("model");
            String name = column == null ? firstOther(row) : column;
            if (numbers.put(model, row.parsedNumber(name)) != null) {
                throw row.bad("model", "names " + model + " again", "each model has one row");
            }
        }
        return numbers;
    }

    private static String firstOther(Fields row) {
        return row.names().stream()
                .filter(name -> !name.equals("model"))
                .findFirst()
                .orElseThrow(() -> row.bad("model", "is the only column", "a column of numbers is needed beside it"));
    }

    /**
     * Correlates per benchmark and stratum.
     *
     * @param average true to correlate the plain mean over each model's benchmarks
     * @param confidence of intervals, between 0 and 1
     */
    public static List<AgreementRow> rows(
            Map<String, Double> x, List<Result> y, String measure, Column number, boolean average, double confidence) {
        Map<String, List<Result>> parts = y.stream()
                .filter(result -> result.measures().contains(measure))
                .collect(Collectors.groupingBy(
                        result -> average ? "" : result.dataset(), LinkedHashMap::new, Collectors.toList()));
        List<Numbers> rows = new ArrayList<>();
        parts.forEach((dataset, results) -> {
            long datasets = results.stream().map(Result::dataset).distinct().count();
            String name = average ? "mean of " + datasets : dataset;
            results.stream()
                    .flatMap(result -> result.strata().stream())
                    .distinct()
                    .forEach(stratum ->
                            rows.add(new Numbers(name, stratum, numbers(results, measure, stratum, number))));
        });
        List<@Nullable RhoDifference> differences = differences(rows, x, confidence);
        return IntStream.range(0, rows.size())
                .mapToObj(row -> row(rows.get(row), x, confidence, differences.get(row)))
                .toList();
    }

    /** Compares each row with the first of its kind: bands with the first band of their benchmark, others with the first benchmark. */
    private static List<@Nullable RhoDifference> differences(
            List<Numbers> rows, Map<String, Double> x, double confidence) {
        Map<String, Numbers> first = new HashMap<>();
        List<@Nullable RhoDifference> differences = new ArrayList<>();
        for (Numbers row : rows) {
            boolean isBand = !row.stratum.equals(Strata.ALL);
            Numbers other = first.putIfAbsent(isBand ? row.dataset : "", row);
            differences.add(
                    other == null
                            ? null
                            : difference(isBand ? other.stratum : other.dataset, other.y, row.y, x, confidence));
        }
        List<@Nullable Double> holm = Holm.adjustPresent(differences.stream()
                .<@Nullable Double>map(each -> each == null ? null : (Double) each.rho.pValue())
                .toList());
        List<@Nullable RhoDifference> adjusted = new ArrayList<>();
        for (RhoDifference difference : differences) {
            Double p = holm.get(adjusted.size());
            adjusted.add(difference == null || p == null ? null : difference.adjusted(p));
        }
        return adjusted;
    }

    /** Null for too few models of both rows, or numbers that do not vary. */
    private static @Nullable RhoDifference difference(
            String against,
            Map<String, Double> other,
            Map<String, Double> own,
            Map<String, Double> x,
            double confidence) {
        List<String> models = own.keySet().stream()
                .filter(model -> x.containsKey(model) && other.containsKey(model))
                .toList();
        List<double[]> lists = Stream.of(x, other, own)
                .map(numbers -> models.stream().mapToDouble(numbers::get).toArray())
                .toList();
        if (models.size() < CorrelationDifference.LEAST
                || lists.stream()
                        .anyMatch(list -> Arrays.stream(list).distinct().count() < 2)) {
            return null;
        }
        CorrelationDifference found = CorrelationDifference.of(
                lists.get(0),
                lists.get(1),
                lists.get(2),
                new Bootstrap.Draws(Settings.USUAL.draws(), Settings.USUAL.seed(), confidence));
        return new RhoDifference(
                against,
                models.size(),
                found.difference(),
                found.difference().pValue(),
                models.get(found.unit()),
                known(found.firstWithout()),
                known(found.secondWithout()));
    }

    private static @Nullable Double known(double rho) {
        return Double.isNaN(rho) ? null : rho;
    }

    private static Map<String, Double> numbers(List<Result> results, String measure, String stratum, Column number) {
        Map<String, List<Profile>> profiles = new LinkedHashMap<>();
        for (Result result : results) {
            Profile profile = result.profile(measure, stratum);
            if (profile != null) {
                profiles.computeIfAbsent(result.model(), model -> new ArrayList<>())
                        .add(profile);
            }
        }
        int most = profiles.values().stream().mapToInt(List::size).max().orElse(0);
        Map<String, Double> numbers = new LinkedHashMap<>();
        profiles.forEach((model, own) -> {
            Double value = own.size() < most ? null : Profile.mean(own, number::of);
            if (value != null) {
                numbers.put(model, value);
            }
        });
        return numbers;
    }

    private static AgreementRow row(
            Numbers numbers, Map<String, Double> x, double confidence, @Nullable RhoDifference difference) {
        Map<String, Double> y = numbers.y;
        List<String> models = y.keySet().stream().filter(x::containsKey).toList();
        if (models.size() < LEAST) {
            return new AgreementRow(
                    numbers.dataset, numbers.stratum, models.size(), models, null, null, null, null, difference);
        }
        double[] here = models.stream().mapToDouble(y::get).toArray();
        double[] there = models.stream().mapToDouble(x::get).toArray();
        Correlation spearman = Correlation.spearman(there, here);
        return new AgreementRow(
                numbers.dataset,
                numbers.stratum,
                models.size(),
                models,
                known(spearman),
                Correlation.ofSpearman(spearman.coefficient(), models.size(), confidence),
                known(Correlation.kendall(there, here)),
                known(Correlation.pearson(there, here)),
                difference);
    }

    private static @Nullable Correlation known(Correlation correlation) {
        return Double.isNaN(correlation.coefficient()) ? null : correlation;
    }
}

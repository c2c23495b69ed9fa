package io.posbias.report;

import io.posbias.base.json.Fields;
import io.posbias.base.stats.Correlation;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Columns;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Suggestions;
import io.posbias.report.profile.ProfileValues;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Agreement of results with the order of models on another benchmark. */
public final class Agreement {
    private static final int LEAST = 3;

    private Agreement() {}

    public enum Column {
        /** Mean over queries for all of them, mean of bucket means within a band of length: PosIR's two averages. */
        POSIR,
        /** Mean over queries. */
        QUERY_MEAN,
        /** Mean over the means of buckets. */
        BUCKET_MEAN,
        /** The Position Sensitivity Index. */
        PSI;

        @Nullable
        Double of(Profile profile) {
            return switch (this) {
                case POSIR -> ProfileValues.average(profile).value();
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
            Correlation pearson) {
        public AgreementRow {
            models = List.copyOf(models);
        }
    }

    /**
     * Reads the other benchmark: a CSV file with a column {@code model} and a column of numbers.
     *
     * @param column its name; null for the first after the model
     */
    public static Map<String, Double> read(Path file, @Nullable String column) {
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
        List<AgreementRow> rows = new ArrayList<>();
        parts.forEach((dataset, results) -> {
            long datasets = results.stream().map(Result::dataset).distinct().count();
            String name = average ? "mean of " + datasets : dataset;
            results.stream()
                    .flatMap(result -> result.strata().stream())
                    .distinct()
                    .forEach(stratum ->
                            rows.add(row(name, stratum, x, numbers(results, measure, stratum, number), confidence)));
        });
        return rows;
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
            Double value = own.size() < most ? null : ProfileValues.mean(own, number::of);
            if (value != null) {
                numbers.put(model, value);
            }
        });
        return numbers;
    }

    private static AgreementRow row(
            String dataset, String stratum, Map<String, Double> x, Map<String, Double> y, double confidence) {
        List<String> models = y.keySet().stream().filter(x::containsKey).toList();
        if (models.size() < LEAST) {
            return new AgreementRow(dataset, stratum, models.size(), models, null, null, null, null);
        }
        double[] here = models.stream().mapToDouble(y::get).toArray();
        double[] there = models.stream().mapToDouble(x::get).toArray();
        Correlation spearman = Correlation.spearman(there, here);
        return new AgreementRow(
                dataset,
                stratum,
                models.size(),
                models,
                known(spearman),
                Correlation.ofSpearman(spearman.coefficient(), models.size(), confidence),
                known(Correlation.kendall(there, here)),
                known(Correlation.pearson(there, here)));
    }

    private static @Nullable Correlation known(Correlation correlation) {
        return Double.isNaN(correlation.coefficient()) ? null : correlation;
    }

    private static final Columns<AgreementRow> COLUMNS = new Columns<AgreementRow>()
            .label("dataset", AgreementRow::dataset)
            .label("stratum", AgreementRow::stratum)
            .text("models", AgreementRow::n)
            .under("Spearman")
            .correlation("rho", NumberFormat.FRACTION, AgreementRow::spearman)
            .interval(NumberFormat.FRACTION, AgreementRow::spearmanInterval)
            .under("Kendall")
            .correlation("tau-b", NumberFormat.FRACTION, AgreementRow::kendall)
            .under("Pearson")
            .correlation("r", NumberFormat.FRACTION, AgreementRow::pearson);

    private static final RecordCsv<AgreementRow> LINES = new RecordCsv<>(AgreementRow.class);

    public static Table table(List<AgreementRow> rows, String measure, Column number, String other, double confidence) {
        return COLUMNS.table(
                measure + " (" + number + ") against " + other,
                rows,
                List.of(
                        "p: two-sided, exact for nine models or fewer; with few models only large correlations are"
                                + " beyond chance",
                        "interval: " + NumberFormat.percent(confidence)
                                + ", Fisher's z of rho (Bonett and Wright 2000)"));
    }

    /** Describes the columns of {@link #raw}. */
    public static List<RecordCsv.Described> columns() {
        return LINES.described(null);
    }

    public static Table raw(List<AgreementRow> rows) {
        return LINES.table(rows);
    }

    /** JSON of agreements. */
    public record AgreementFile(
            String schema, String measure, Column number, String other, double confidence, List<AgreementRow> rows) {}

    public static AgreementFile document(
            List<AgreementRow> rows, String measure, Column number, String other, double confidence) {
        return new AgreementFile("posbias/agreement/2", measure, number, other, confidence, rows);
    }
}

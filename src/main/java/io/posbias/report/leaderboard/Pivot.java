package io.posbias.report.leaderboard;

import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Value;
import io.posbias.base.text.Suggestions;
import io.posbias.report.leaderboard.PairwiseTests.Tested;
import io.posbias.report.leaderboard.Published.ResultsFile;
import io.posbias.report.profile.BucketDrop;
import io.posbias.report.profile.ProfileValues;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Profile;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Shape of a leaderboard's table: the fields of a layout that say what its rows, columns and numbers are.
 *
 * @param sections bands of length, {@code all} for all queries: each is a section of the table, within and across languages
 * @param headings above the columns
 * @param columns below each heading; with {@link By#VALUE} a column for each of the values
 * @param measures with columns or headings of measures
 * @param average true for the plain mean over the benchmarks of a row and column; false where each cell has one
 * @param star minimum PSI, on every benchmark, of models that get a star; null for none
 * @param tiny true to show results on the tiny subset of a benchmark in its columns, in rows of their own
 * @param reference means of models on other tasks, and their rank correlation with the table's; null for none
 */
record Pivot(
        Rows rows,
        @Setting(usual = "[]") List<String> sections,
        @Setting(usual = "nothing") By headings,
        @Setting(usual = "value") By columns,
        @Setting(usual = "[]") List<Stat> values,
        @Setting(usual = "[]") List<String> measures,
        @Setting(usual = "false") boolean average,
        @Setting(least = 0, most = 1) @Nullable Double star,
        @Setting(usual = "false") boolean tiny,
        @Nullable Reference reference) {
    /**
     * Means over queries of models on other tasks.
     *
     * @param name header of their column
     */
    record Reference(
            ResultsFile file, @Setting(identifier = true) String name) {}

    enum Rows {
        /** A row for each model. */
        MODELS,
        /** A row for each model and benchmark; of averages, for each model. */
        DATASETS,
        /** A row for each model, benchmark and band of length, with the numbers of direction in columns of their own. */
        PROFILES,
        /** As profiles, with slope and correlations over the means of buckets, as PosIR's authors compute them. */
        BINS,
        /** A row for each benchmark and model with the content held fixed, in tiers of the loss at the back. */
        LOSSES;

        boolean hasFixedColumns() {
            return this == PROFILES || this == BINS || this == LOSSES;
        }
    }

    enum By {
        NOTHING,
        VALUE,
        DATASET,
        LANGUAGE,
        /** Within a language, across languages. */
        RETRIEVAL,
        /** Bands of length. */
        LENGTH,
        MEASURE
    }

    /**
     * A number of a profile.
     *
     * @param header empty for the name of the measure
     * @param test null for a number without tests between models
     */
    record Statistic(
            String header,
            NumberFormat unit,
            Function<Profile, Value> value,
            @Nullable Tested test) {
        static Statistic points(String header, Function<Profile, Value> value, @Nullable Tested test) {
            return new Statistic(header, NumberFormat.POINTS, value, test);
        }

        static Statistic bucket(String name) {
            return points(name, profile -> ProfileValues.mean(profile, name), new Tested.Bucket(name));
        }

        static Statistic drop(String header, Function<BucketDrop, Double> part) {
            return new Statistic(header, NumberFormat.PERCENT, profile -> drop(profile, part), null);
        }

        private static Value drop(Profile profile, Function<BucketDrop, Double> part) {
            BucketDrop drop = BucketDrop.of(profile.buckets(), BucketMean::mean);
            return drop == null ? Value.NONE : Value.of(part.apply(drop));
        }
    }

    enum Stat {
        /** The mean of each position bucket. */
        BUCKETS,
        /** Mean over queries; over buckets if a row, as a published one, has no other. */
        MEAN,
        QUERY_MEAN,
        BUCKET_MEAN,
        /** PosIR's average: over queries for all of them, over buckets in a length band. */
        AVERAGE,
        PSI,
        /** Share of the first bucket's mean lost in the worst bucket, and in the last. */
        DROP_TO_WORST,
        DROP_TO_LAST,
        VERDICT,
        /** The plain mean over all benchmarks; none for a model that lacks one. */
        MEAN_OF_ALL,
        /** The model's mean on the tasks of the reference. */
        REFERENCE;

        /** @throws IllegalStateException for values that are not one number of a profile */
        Statistic statistic() {
            return switch (this) {
                case QUERY_MEAN -> Statistic.points("query mean", ProfileValues::queryMean, new Tested.Mean());
                case BUCKET_MEAN -> Statistic.points("mean", ProfileValues::bucketMean, null);
                case AVERAGE -> Statistic.points("", ProfileValues::average, null);
                case PSI -> new Statistic("PSI", NumberFormat.FRACTION, ProfileValues::psi, new Tested.Psi());
                case DROP_TO_WORST -> Statistic.drop("drop to worst", BucketDrop::toWorst);
                case DROP_TO_LAST -> Statistic.drop("drop to last", BucketDrop::toLast);
                case BUCKETS, MEAN, VERDICT, MEAN_OF_ALL, REFERENCE -> throw new IllegalStateException(name());
            };
        }

        boolean isAlone() {
            return this == VERDICT || this == MEAN_OF_ALL || this == REFERENCE;
        }
    }

    Pivot {
        if (rows.hasFixedColumns()) {
            refuse(
                    "rows",
                    !values.isEmpty()
                            || !sections.isEmpty()
                            || headings != By.NOTHING
                            || columns != By.VALUE
                            || tiny
                            || average
                            || star != null
                            || reference != null,
                    "is " + Suggestions.word(rows),
                    "its columns are fixed: leave out all other fields of rows, columns and values");
        } else {
            refuse("values", values.isEmpty(), "is missing or empty", "a table needs one at least");
        }
        refuse("columns", columns == By.NOTHING, "is nothing", "leave it out for a column for each value");
        refuse(
                "values",
                columns != By.VALUE && (values.contains(Stat.BUCKETS) || values.contains(Stat.MEAN)),
                "has buckets or mean",
                "they need columns: value; take average, query-mean or bucket-mean");
        refuse(
                "reference",
                values.contains(Stat.REFERENCE) && reference == null,
                "is missing",
                "the value reference is of its file");
        refuse(
                "measures",
                measures.isEmpty() == Stream.of(headings, columns).anyMatch(By.MEASURE::equals),
                measures.isEmpty() ? "is missing" : "has no meaning",
                "it belongs to columns or headings of measures");
        refuse(
                "sections",
                !sections.isEmpty() && (rows != Rows.MODELS || tiny || star != null),
                "has no meaning with rows of datasets, tiny and star",
                "leave one of them out");
        refuse(
                "rows",
                rows == Rows.DATASETS && (tiny || star != null),
                "is datasets",
                "tiny and star belong to rows of models");
        measures = measures.stream().map(Pivot::parsed).toList();
    }

    private static void refuse(String field, boolean isWrong, String found, String advice) {
        if (isWrong) {
            throw new Setting.Wrong(field, found, advice);
        }
    }

    private static String parsed(String measure) {
        try {
            return Measures.parse(measure).toString();
        } catch (UsageException wrong) {
            throw new Setting.Wrong("measures", "is wrong: " + wrong.line(), "");
        }
    }
}

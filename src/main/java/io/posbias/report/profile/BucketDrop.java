package io.posbias.report.profile;

import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Drop of the mean from the first bucket, as a share of it: to the worst bucket and to the last. */
public record BucketDrop(double toWorst, double toLast) {
    /** Definition for tables. */
    public static final String MEANING = "drop: 1 - mean / mean of the first bucket, for the worst and the last bucket";

    /** Computes the drop; null for fewer than two buckets with a mean, or a first mean of 0. */
    public static <B> @Nullable BucketDrop of(List<B> buckets, Function<B, @Nullable Double> mean) {
        List<Double> means = buckets.stream().map(mean).filter(Objects::nonNull).toList();
        if (means.size() < 2 || means.getFirst() == 0) {
            return null;
        }
        double worst = means.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        return new BucketDrop(1 - worst / means.getFirst(), 1 - means.getLast() / means.getFirst());
    }

    /** Adds the columns of a drop. */
    public static <R> Columns<R> columns(Columns<R> columns, Function<R, @Nullable BucketDrop> drop) {
        return columns.under("drop")
                .part(
                        drop,
                        new Columns<BucketDrop>()
                                .number("worst", NumberFormat.PERCENT, BucketDrop::toWorst)
                                .number("last", NumberFormat.PERCENT, BucketDrop::toLast))
                .under("");
    }
}

package io.posbias.measure;

import org.jspecify.annotations.Nullable;

/**
 * The mean of a measure over the queries whose evidence falls in one bucket.
 *
 * @param bucket its name
 * @param queries how many queries it holds
 * @param mean their mean; null when it holds none
 * @param thin whether it holds so few that the mean says little
 */
public record BucketMean(
        String bucket, int queries, @Nullable Double mean, boolean thin) {}

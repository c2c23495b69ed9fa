package io.posbias.measure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a measure depends on where the evidence lies, within one stratum of the queries.
 *
 * @param measure the measure's name
 * @param stratum {@code all} or a band of length
 * @param queries how many judged queries the stratum holds, in a bucket or not
 * @param queryMean mean over these queries; null when there are none
 * @param bucketMean mean over the means of the buckets that hold a query, each bucket once; null when there are none
 * @param psi the Position Sensitivity Index
 * @param buckets all buckets, in their order
 */
public record Profile(
        String measure,
        String stratum,
        int queries,
        @Nullable Double queryMean,
        @Nullable Double bucketMean,
        Psi psi,
        List<BucketMean> buckets) {

    /** Copies the buckets. */
    public Profile {
        buckets = List.copyOf(buckets);
    }
}

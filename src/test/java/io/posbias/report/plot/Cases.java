package io.posbias.report.plot;

import io.posbias.base.stats.Interval;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.Provenance;
import io.posbias.score.result.QueryCounts;
import io.posbias.score.result.Result;
import io.posbias.score.result.Retrieval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class Cases {
    static final String MEASURE = "nDCG@10";

    private Cases() {}

    /** A bucket of 50 queries with an interval of 0.1 to each side. */
    static BucketMean bucket(double mean) {
        return new BucketMean(
                "", 50, mean, false, new Interval(mean - 0.1, mean + 0.1), new Interval(mean - 0.1, mean + 0.1));
    }

    static BucketMean empty() {
        return new BucketMean("", 0, null, true);
    }

    static BucketMean thin(double mean) {
        return new BucketMean("", 3, mean, true, new Interval(0, 1), new Interval(0, 1));
    }

    /** A bucket as old results and papers have it. */
    static BucketMean bare(double mean) {
        return new BucketMean("", 50, mean, false);
    }

    /** Names buckets as bins of the relative position. */
    static Profile profile(String stratum, BucketMean... buckets) {
        List<BucketMean> named = new ArrayList<>();
        for (int i = 0; i < buckets.length; i++) {
            String name = 100 * i / buckets.length + "-" + 100 * (i + 1) / buckets.length + "%";
            BucketMean bucket = buckets[i];
            named.add(new BucketMean(
                    name, bucket.queries(), bucket.mean(), bucket.thin(), bucket.interval(), bucket.tInterval()));
        }
        Psi psi = new Psi(0.25, null, new Interval(0.1, 0.4), 0.2, 0.001, new Psi.Noise(0.05, 0.1));
        return new Profile(
                MEASURE,
                stratum,
                200,
                100,
                99.0,
                0.5,
                new Interval(0.45, 0.55),
                0.51,
                new Interval(0.46, 0.56),
                psi,
                named,
                null,
                null,
                null,
                null,
                List.of());
    }

    /** A result of one profile for each stratum, with four buckets if there are four means. */
    static Result result(String model, String dataset, Profile... profiles) {
        return result(
                model, "dense", dataset, "relative:" + profiles[0].buckets().size(), profiles);
    }

    static Result result(String model, String family, String dataset, String buckets, Profile... profiles) {
        return new Result(
                model,
                family,
                dataset,
                new QueryCounts(200, 0, 0, 0, 0, null, null, null, null),
                List.of(profiles),
                Retrieval.NONE,
                new Provenance(
                        Settings.USUAL.withBuckets(Bucketing.parse(buckets)),
                        new LinkedHashMap<>(Map.of("name", model, "kind", "dense")),
                        "",
                        Map.of(),
                        List.of(),
                        null,
                        Map.of(),
                        Map.of(),
                        Map.of()));
    }

    static Result result(String model, String family, double mean, Psi psi) {
        Profile four = profile("all", bucket(mean), bucket(mean), bucket(mean), bucket(mean));
        Profile profile = new Profile(MEASURE, "all", 200, mean, mean, psi, four.buckets());
        return result(model, family, "d", "relative:4", profile);
    }
}

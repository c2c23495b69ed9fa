package io.posbias.report;

import io.posbias.base.stats.Correlation;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Direction;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Power;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.Provenance;
import io.posbias.score.result.QueryCounts;
import io.posbias.score.result.Result;
import io.posbias.score.result.Retrieval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

public final class Results {
    private Results() {}

    /** A result with three buckets, the last of them thin on {@code other}, and a second measure without a PSI. */
    public static Result of(String model, String family, String dataset, double first) {
        return of("nDCG@10", model, family, dataset, first);
    }

    public static Result of(String measure, String model, String family, String dataset, double first) {
        List<BucketMean> buckets = List.of(
                new BucketMean("beginning", 100, first, false, around(first, 0.04), around(first, 0.05)),
                new BucketMean("middle", 80, 0.5, false, around(0.5, 0.06), around(0.5, 0.07)),
                new BucketMean("end", 7, 0.25, dataset.equals("other"), new Interval(0, 0.75), new Interval(0, 0.7)));
        Psi psi = new Psi(1 - 0.25 / first, null, new Interval(0.4, 0.8), 0.55, 0.0004, new Psi.Noise(0.1, 0.2));
        Direction direction = new Direction(
                Direction.Scale.BUCKET,
                187,
                new Estimate(-0.4, new Interval(-0.5, -0.3), 0.0002),
                new Correlation(-0.3, 0.001),
                new Correlation(-0.28, 0.002),
                new Correlation(-0.25, 0.003),
                new Estimate(first - 0.25, around(first - 0.25, 0.1), 0.0001),
                new Estimate(0.01, new Interval(-0.1, 0.12), 0.8),
                TestOutcome.DIFFER);
        Profile ndcg = new Profile(
                measure,
                "all",
                187,
                93,
                90.5,
                0.6543,
                new Interval(0.61, 0.69),
                (first + 0.75) / 3,
                around((first + 0.75) / 3, 0.06),
                psi,
                buckets,
                direction,
                new Power(0.2, 0.1, 120, 80),
                null,
                null,
                List.of());
        List<BucketMean> zeros = List.of(
                new BucketMean("beginning", 100, 0.0, false),
                new BucketMean("middle", 80, 0.0, false),
                new BucketMean("end", 0, null, true));
        Psi undefined = Psi.undefined("all buckets score 0");
        Profile recall = new Profile("R@5", "all", 180, 0.0, 0.0, undefined, zeros);
        Map<String, Object> environment = new LinkedHashMap<>();
        environment.put("posbias", "0.1.0");
        environment.put("threads", 2);
        return new Result(
                model,
                family,
                dataset,
                new QueryCounts(187, 3, 2, 1, 4, null, null, null, null),
                List.of(ndcg, recall),
                Retrieval.NONE,
                new Provenance(
                        Settings.USUAL
                                .withMeasures(Measures.parseAll("nDCG@10,R@5"))
                                .withBuckets(Bucketing.parse("labels:beginning,middle,end")),
                        new LinkedHashMap<>(Map.of("name", model, "kind", "bm25")),
                        "ab".repeat(32),
                        Map.of("corpus.jsonl", "cd".repeat(32)),
                        List.of(),
                        null,
                        Map.of(),
                        environment,
                        Map.of("search", 1.5)));
    }

    /** A dense model's result in the strata all, Q1 and Q2, as of a benchmark with lengths. */
    public static Result ofLengths(String model, String dataset, double first) {
        Result base = of(model, "dense", dataset, first);
        Profile all = base.profiles().getFirst();
        List<Profile> profiles = List.of(all, within("Q1", all), within("Q2", all));
        return withProfiles(
                base, "dense", dataset, profiles, new LinkedHashMap<>(Map.of("name", model, "kind", "dense")));
    }

    /** The result with the same evidence at places, in its first profile. */
    public static Result withPlaces(Result result, List<ContentFixed.Place> places) {
        Estimate none = new Estimate(0, new Interval(-0.1, 0.1), 1);
        Profile first = result.profiles().getFirst();
        ContentFixed fixed = new ContentFixed(
                first.measure(),
                "rotation",
                60,
                55,
                50.0,
                0.8,
                Psi.of(0.1),
                null,
                none,
                none,
                null,
                null,
                TestOutcome.PRIMACY,
                null,
                new Power(0.2, 0.1, 60, 55),
                places,
                List.of());
        List<Profile> profiles = new ArrayList<>(result.profiles());
        profiles.set(0, first.with(fixed));
        return with(result, profiles, result.retrieval());
    }

    /** The result of a model that reads 256 tokens. */
    public static Result truncated(Result result, boolean known, int... unreadByBucket) {
        List<BucketMean> buckets = result.profiles().getFirst().buckets();
        int all = IntStream.of(unreadByBucket).sum();
        Truncation truncation = new Truncation(
                result.model(),
                256,
                "passages",
                500,
                400,
                0,
                known,
                all,
                all,
                IntStream.range(0, unreadByBucket.length)
                        .mapToObj(i ->
                                new Truncation.Bucket(buckets.get(i).bucket(), unreadByBucket[i], unreadByBucket[i]))
                        .toList());
        return with(result, result.profiles(), new Retrieval(List.of(truncation), null, Map.of(), Map.of()));
    }

    private static Result with(Result result, List<Profile> profiles, Retrieval retrieval) {
        return new Result(
                result.model(),
                result.family(),
                result.dataset(),
                result.queries(),
                profiles,
                retrieval,
                result.provenance());
    }

    private static Result withProfiles(
            Result base, String family, String dataset, List<Profile> profiles, Map<String, @Nullable Object> recipe) {
        return new Result(
                base.model(),
                family,
                dataset,
                base.queries(),
                profiles,
                Retrieval.NONE,
                new Provenance(
                        base.settings(),
                        recipe,
                        base.provenance().recipeSha256(),
                        base.provenance().datasetSha256(),
                        List.of(),
                        null,
                        Map.of(),
                        base.provenance().environment(),
                        base.provenance().seconds()));
    }

    private static Profile within(String band, Profile all) {
        return new Profile(
                all.measure(),
                band,
                60,
                30,
                29.5,
                all.queryMean(),
                all.queryInterval(),
                all.bucketMean(),
                all.bucketInterval(),
                all.psi(),
                all.buckets(),
                all.direction(),
                all.power(),
                null,
                null,
                List.of());
    }

    private static Interval around(double value, double half) {
        return new Interval(value - half, value + half).within(0, 1);
    }
}

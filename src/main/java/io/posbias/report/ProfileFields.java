package io.posbias.report;

import io.posbias.Fields;
import io.posbias.measure.BucketMean;
import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.measure.Psi;
import io.posbias.measure.Verdict;
import io.posbias.stats.Correlation;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Profiles as fields of result.json. What is unknown is left out, but for means and PSI, which are null then. */
final class ProfileFields {
    private ProfileFields() {}

    static Map<String, @Nullable Object> write(Profile profile) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("measure", profile.measure());
        map.put("stratum", profile.stratum());
        map.put("queries", profile.queries());
        map.put("query_mean", profile.queryMean());
        put(map, "query_mean_interval", profile.queryInterval());
        map.put("bucket_mean", profile.bucketMean());
        put(map, "bucket_mean_interval", profile.bucketInterval());
        map.put("psi", psi(profile.psi()));
        Direction direction = profile.direction();
        if (direction != null) {
            map.put("direction", direction(direction));
        }
        map.put("buckets", profile.buckets().stream().map(ProfileFields::bucket).toList());
        return map;
    }

    private static void put(Map<String, @Nullable Object> map, String name, @Nullable Interval interval) {
        if (interval != null) {
            map.put(name, List.of(interval.low(), interval.high()));
        }
    }

    private static Map<String, @Nullable Object> psi(Psi psi) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("value", psi.value());
        if (psi.undefined() != null) {
            map.put("undefined", psi.undefined());
        }
        put(map, "interval", psi.interval());
        if (psi.corrected() != null) {
            map.put("corrected", psi.corrected());
        }
        if (psi.pValue() != null) {
            map.put("p_value", psi.pValue());
            Map<String, @Nullable Object> noise = new LinkedHashMap<>();
            noise.put("mean", psi.noiseMean());
            noise.put("p95", psi.noise95());
            map.put("noise_floor", noise);
        }
        return map;
    }

    private static Map<String, @Nullable Object> direction(Direction direction) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("position", direction.relative() ? "relative" : "bucket");
        map.put("queries", direction.queries());
        if (direction.verdict() != null) {
            map.put("verdict", direction.verdict().toString());
        }
        map.put("slope", estimate(direction.slope()));
        put(map, "pearson", direction.pearson());
        put(map, "spearman", direction.spearman());
        put(map, "kendall", direction.kendall());
        put(map, "front_minus_back", direction.frontMinusBack());
        put(map, "middle_minus_ends", direction.middleMinusEnds());
        return map;
    }

    private static void put(Map<String, @Nullable Object> map, String name, @Nullable Correlation correlation) {
        if (correlation != null) {
            map.put(name, correlation(correlation));
        }
    }

    /** A correlation with its p-value; null for none. */
    static @Nullable Map<String, Object> correlation(@Nullable Correlation correlation) {
        if (correlation == null) {
            return null;
        }
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("value", correlation.coefficient());
        numbers.put("p_value", correlation.pValue());
        return numbers;
    }

    private static void put(Map<String, @Nullable Object> map, String name, @Nullable Estimate estimate) {
        if (estimate != null) {
            map.put(name, estimate(estimate));
        }
    }

    /** An estimate with its interval and p-value. */
    static Map<String, @Nullable Object> estimate(Estimate estimate) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("value", estimate.value());
        put(map, "interval", estimate.interval());
        map.put("p_value", estimate.pValue());
        return map;
    }

    private static Map<String, @Nullable Object> bucket(BucketMean bucket) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("bucket", bucket.bucket());
        map.put("queries", bucket.queries());
        map.put("mean", bucket.mean());
        put(map, "interval", bucket.interval());
        put(map, "t_interval", bucket.tInterval());
        if (bucket.thin()) {
            map.put("thin", true);
        }
        return map;
    }

    static Profile read(Fields fields) {
        return new Profile(
                fields.text("measure"),
                fields.text("stratum"),
                fields.integer("queries", 0),
                fields.optionalNumber("query_mean"),
                interval(fields, "query_mean_interval"),
                fields.optionalNumber("bucket_mean"),
                interval(fields, "bucket_mean_interval"),
                readPsi(fields.record("psi")),
                fields.records("buckets").stream()
                        .map(ProfileFields::readBucket)
                        .toList(),
                fields.has("direction") ? readDirection(fields.record("direction")) : null);
    }

    private static Psi readPsi(Fields fields) {
        Fields noise = fields.record("noise_floor");
        return new Psi(
                fields.optionalNumber("value"),
                fields.has("undefined") ? fields.text("undefined") : null,
                fields.optionalNumber("corrected"),
                interval(fields, "interval"),
                fields.optionalNumber("p_value"),
                noise.optionalNumber("mean"),
                noise.optionalNumber("p95"));
    }

    private static Direction readDirection(Fields fields) {
        return new Direction(
                fields.text("position").equals("relative"),
                fields.integer("queries"),
                readEstimate(fields.record("slope")),
                correlation(fields, "pearson"),
                correlation(fields, "spearman"),
                correlation(fields, "kendall"),
                estimate(fields, "front_minus_back"),
                estimate(fields, "middle_minus_ends"),
                fields.has("verdict") ? verdict(fields) : null);
    }

    private static Verdict verdict(Fields fields) {
        try {
            return Verdict.valueOf(fields.text("verdict").toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw fields.bad(
                    "verdict", "is \"" + fields.text("verdict") + "\"", "see docs/statistics.md for the words");
        }
    }

    private static @Nullable Correlation correlation(Fields fields, String name) {
        if (!fields.has(name)) {
            return null;
        }
        Fields numbers = fields.record(name);
        return new Correlation(numbers.number("value"), numbers.number("p_value"));
    }

    private static @Nullable Estimate estimate(Fields fields, String name) {
        return fields.has(name) ? readEstimate(fields.record(name)) : null;
    }

    private static Estimate readEstimate(Fields fields) {
        Interval interval = interval(fields, "interval");
        if (interval == null) {
            throw fields.bad("interval", "is missing", "an estimate has an interval");
        }
        return new Estimate(fields.number("value"), interval, fields.number("p_value"));
    }

    private static BucketMean readBucket(Fields fields) {
        return new BucketMean(
                fields.text("bucket"),
                fields.integer("queries"),
                fields.optionalNumber("mean"),
                Boolean.TRUE.equals(fields.raw("thin")),
                interval(fields, "interval"),
                interval(fields, "t_interval"));
    }

    private static @Nullable Interval interval(Fields fields, String name) {
        if (!fields.has(name)) {
            return null;
        }
        if (fields.raw(name) instanceof List<?> ends
                && ends.size() == 2
                && ends.getFirst() instanceof Number low
                && ends.getLast() instanceof Number high
                && low.doubleValue() <= high.doubleValue()) {
            return new Interval(low.doubleValue(), high.doubleValue());
        }
        throw fields.bad(name, "is " + fields.raw(name), "it must be two numbers, the smaller first");
    }
}

package io.posbias.score.measure;

import io.posbias.base.stats.Clusters;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.data.position.Strata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Buckets and length bands of queries, which are identified by index.
 *
 * @param buckets of each query, as indices into {@link #bucketNames()}; do not modify
 * @param bands of each query, or -1
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record QueryBuckets(Bucketing bucketing, int[][] buckets, int[] bands, Clustering clustering) {
    /** Places queries by their evidence, each a cluster. */
    public static QueryBuckets of(List<Query> queries, Bucketing bucketing) {
        return of(queries, bucketing, Clustering.none(queries.size()));
    }

    /** Places queries by their evidence. */
    public static QueryBuckets of(List<Query> queries, Bucketing bucketing, Clustering clustering) {
        return new QueryBuckets(
                bucketing,
                queries.stream()
                        .map(query -> bucketing.bucketsOf(query.evidence()))
                        .toArray(int[][]::new),
                queries.stream()
                        .mapToInt(query -> bucketing.strata().of(query.evidence()))
                        .toArray(),
                clustering);
    }

    /**
     * Restores placements by name.
     *
     * @param bands empty for no band
     */
    public static QueryBuckets ofNames(
            Bucketing bucketing, List<List<String>> buckets, List<String> bands, Clustering clustering) {
        List<String> names = bucketing.positions().buckets();
        return new QueryBuckets(
                bucketing,
                buckets.stream()
                        .map(of -> of.stream().mapToInt(names::indexOf).toArray())
                        .toArray(int[][]::new),
                bands.stream().mapToInt(bucketing.strata().bands()::indexOf).toArray(),
                clustering);
    }

    /**
     * Clusters the queries by another criterion.
     *
     * @throws io.posbias.base.process.UsageException if it is unknown
     */
    public QueryBuckets by(Clustering.By other) {
        return new QueryBuckets(bucketing, buckets, bands, clustering.by(other));
    }

    /** A subset of the queries, by index. */
    public QueryBuckets at(int[] queries) {
        return new QueryBuckets(
                bucketing,
                Arrays.stream(queries).mapToObj(query -> buckets[query]).toArray(int[][]::new),
                Arrays.stream(queries).map(query -> bands[query]).toArray(),
                clustering.at(queries));
    }

    /** The queries without buckets and bands. */
    public QueryBuckets unbucketed() {
        int[] none = new int[bands.length];
        Arrays.fill(none, -1);
        return new QueryBuckets(Bucketing.NONE, new int[bands.length][0], none, clustering);
    }

    public List<String> bucketNames() {
        return bucketing.positions().buckets();
    }

    /** {@code all}, then the bands of length. */
    public List<String> strata() {
        List<String> strata = new ArrayList<>(List.of(Strata.ALL));
        strata.addAll(bucketing.strata().bands());
        return strata;
    }

    public List<String> bucketNamesOf(int query) {
        return Arrays.stream(buckets[query]).mapToObj(bucketNames()::get).toList();
    }

    /** Buckets of a query, as indices into {@link #bucketNames()}. */
    public int[] bucketsOf(int query) {
        return buckets[query].clone();
    }

    /**
     * Position of a query's buckets: 0 for the first, 1 for the last, the mean for several.
     *
     * @throws IllegalArgumentException for a query without a bucket
     */
    public double placeOf(int query) {
        int last = bucketNames().size() - 1;
        return Arrays.stream(buckets[query])
                .mapToDouble(bucket -> last == 0 ? 0 : (double) bucket / last)
                .average()
                .orElseThrow(() -> new IllegalArgumentException("a query in no bucket"));
    }

    /** Returns true for a query of a bucket, by index. */
    public boolean isIn(int query, int bucket) {
        return Arrays.stream(buckets[query]).anyMatch(own -> own == bucket);
    }

    /** Band of a query; empty if it has none. */
    public String bandOf(int query) {
        return bands[query] < 0 ? "" : bucketing.strata().bands().get(bands[query]);
    }

    /** Number of a stratum's queries in a bucket. */
    public int count(String stratum, int bucket) {
        return members(bucket, members(stratum)).length;
    }

    /** Returns the number of clusters per bucket. */
    public int[] clusters() {
        Clusters all = clustering.clusters();
        return byBucket(members(Strata.ALL)).stream()
                .mapToInt(own -> all.at(own).count())
                .toArray();
    }

    public int inNone() {
        return (int) Arrays.stream(buckets).filter(of -> of.length == 0).count();
    }

    public int inSeveral() {
        return (int) Arrays.stream(buckets).filter(of -> of.length > 1).count();
    }

    int[] members(String stratum) {
        int band = bucketing.strata().bands().indexOf(stratum);
        return IntStream.range(0, buckets.length)
                .filter(query -> band < 0 || bands[query] == band)
                .toArray();
    }

    int[] members(int bucket, int[] among) {
        return Arrays.stream(among).filter(query -> isIn(query, bucket)).toArray();
    }

    List<int[]> byBucket(int[] among) {
        return IntStream.range(0, bucketNames().size())
                .mapToObj(bucket -> members(bucket, among))
                .toList();
    }
}

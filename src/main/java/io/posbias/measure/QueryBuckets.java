package io.posbias.measure;

import io.posbias.dataset.Query;
import io.posbias.position.Bucketing;
import io.posbias.position.Strata;
import io.posbias.stats.Clusters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where each of a list of queries belongs: its buckets and its band of length. Queries are known by their place in the
 * list.
 *
 * @param bucketing how they were placed
 * @param buckets for each query its buckets, as indices into {@link #bucketNames()}; do not change them
 * @param bands for each query the index of its band, or -1
 * @param units which queries count as one
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record QueryBuckets(Bucketing bucketing, int[][] buckets, int[] bands, Clustering units) {
    /** Places queries by their evidence, each a unit by itself. */
    public static QueryBuckets of(List<Query> queries, Bucketing bucketing) {
        return of(queries, bucketing, Clustering.none(queries.size()));
    }

    /** Places queries by their evidence. */
    public static QueryBuckets of(List<Query> queries, Bucketing bucketing, Clustering units) {
        return new QueryBuckets(
                bucketing,
                queries.stream()
                        .map(query -> bucketing.bucketsOf(query.evidence()))
                        .toArray(int[][]::new),
                queries.stream()
                        .mapToInt(query -> bucketing.strata().of(query.evidence()))
                        .toArray(),
                units);
    }

    /**
     * Places queries where they were placed before.
     *
     * @param buckets for each query the names of its buckets
     * @param bands for each query the name of its band of length; empty for none
     */
    public static QueryBuckets ofNames(
            Bucketing bucketing, List<List<String>> buckets, List<String> bands, Clustering units) {
        List<String> names = bucketing.positions().buckets();
        return new QueryBuckets(
                bucketing,
                buckets.stream()
                        .map(of -> of.stream().mapToInt(names::indexOf).toArray())
                        .toArray(int[][]::new),
                bands.stream().mapToInt(bucketing.strata().bands()::indexOf).toArray(),
                units);
    }

    /**
     * The same places of the same queries in other units.
     *
     * @throws io.posbias.UsageException if those are not known
     */
    public QueryBuckets by(Clustering.By other) {
        return new QueryBuckets(bucketing, buckets, bands, units.by(other));
    }

    /**
     * Some of the queries, known by their places among these.
     *
     * @param queries their places here, in the order they are to have
     */
    public QueryBuckets at(int[] queries) {
        return new QueryBuckets(
                bucketing,
                Arrays.stream(queries).mapToObj(query -> buckets[query]).toArray(int[][]::new),
                Arrays.stream(queries).map(query -> bands[query]).toArray(),
                units.at(queries));
    }

    /** The same queries in no bucket and no band. */
    public QueryBuckets unbucketed() {
        int[] none = new int[bands.length];
        Arrays.fill(none, -1);
        return new QueryBuckets(Bucketing.NONE, new int[bands.length][0], none, units);
    }

    /** The names of the buckets, in their order. */
    public List<String> bucketNames() {
        return bucketing.positions().buckets();
    }

    /** All strata: every query, then the bands of length if there are any. */
    public List<String> strata() {
        List<String> strata = new ArrayList<>(List.of(Strata.ALL));
        strata.addAll(bucketing.strata().bands());
        return strata;
    }

    /** The buckets of a query, as indices into {@link #bucketNames()}. */
    public int[] bucketsOf(int query) {
        return buckets[query].clone();
    }

    /**
     * Where a query's buckets are among all: 0 for the first, 1 for the last, the mean for a query in several.
     *
     * @throws IllegalArgumentException if it is in none
     */
    public double placeOf(int query) {
        int last = bucketNames().size() - 1;
        return Arrays.stream(buckets[query])
                .mapToDouble(bucket -> last == 0 ? 0 : (double) bucket / last)
                .average()
                .orElseThrow(() -> new IllegalArgumentException("a query in no bucket"));
    }

    /** The name of the band of a query; empty when it is in none. */
    public String bandOf(int query) {
        return bands[query] < 0 ? "" : bucketing.strata().bands().get(bands[query]);
    }

    /** How many queries of a stratum fall in a bucket. */
    public int count(String stratum, int bucket) {
        return members(bucket, members(stratum)).length;
    }

    /** How many clusters the queries of each bucket are of. */
    public int[] clusters() {
        Clusters all = units.clusters();
        return byBucket(members(Strata.ALL)).stream()
                .mapToInt(own -> all.at(own).count())
                .toArray();
    }

    /** How many queries fall in no bucket. */
    public int inNone() {
        return (int) Arrays.stream(buckets).filter(of -> of.length == 0).count();
    }

    /** How many queries fall in more than one bucket. */
    public int inSeveral() {
        return (int) Arrays.stream(buckets).filter(of -> of.length > 1).count();
    }

    /** The queries of a stratum, ascending. */
    int[] members(String stratum) {
        int band = bucketing.strata().bands().indexOf(stratum);
        return IntStream.range(0, buckets.length)
                .filter(query -> band < 0 || bands[query] == band)
                .toArray();
    }

    /** Those of some queries that fall in a bucket, ascending. */
    int[] members(int bucket, int[] among) {
        return Arrays.stream(among)
                .filter(query -> Arrays.stream(buckets[query]).anyMatch(own -> own == bucket))
                .toArray();
    }

    /** Those of some queries that fall in each bucket, ascending. */
    List<int[]> byBucket(int[] among) {
        return IntStream.range(0, bucketNames().size())
                .mapToObj(bucket -> members(bucket, among))
                .toList();
    }
}

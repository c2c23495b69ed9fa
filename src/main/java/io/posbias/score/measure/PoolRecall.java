package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.rank.SearchReport;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Recall of a reranker's first stage: a query whose relevant passages are not retrieved scores 0, so that part of a position
 * bias may be the first stage's.
 *
 * @param model the first stage
 * @param recall share of judged queries with a relevant passage in the pool; 1 without queries
 * @param buckets queries without one, by bucket
 */
public record PoolRecall(
        String model,
        int depth,
        @JsonProperty("first_stage_recall") double recall,
        @JsonProperty("missed") List<Bucket> buckets) {
    /**
     * @param missed queries without a relevant passage in the pool
     */
    public record Bucket(
            String bucket, @JsonProperty("queries") int missed) {}

    public PoolRecall {
        buckets = List.copyOf(buckets);
    }

    /** Counts the judged queries that a first stage misses. */
    public static PoolRecall of(SearchReport.FirstStage stage, BitSet missed, QueryBuckets placement) {
        return new PoolRecall(stage.model(), stage.depth(), 1, List.of()).in(missed, placement);
    }

    /** Counts the missed queries by other buckets. */
    public PoolRecall in(BitSet missed, QueryBuckets placement) {
        int queries = placement.bands().length;
        int[] counts = new int[placement.bucketNames().size()];
        missed.stream()
                .flatMap(query -> Arrays.stream(placement.bucketsOf(query)))
                .forEach(bucket -> counts[bucket]++);
        return new PoolRecall(
                model,
                depth,
                queries == 0 ? 1 : (double) (queries - missed.cardinality()) / queries,
                IntStream.range(0, counts.length)
                        .mapToObj(bucket -> new Bucket(placement.bucketNames().get(bucket), counts[bucket]))
                        .toList());
    }
}

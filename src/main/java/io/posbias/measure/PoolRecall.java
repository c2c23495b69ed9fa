package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Query;
import io.posbias.retrieve.Ranking;
import io.posbias.retrieve.SearchReport;
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

    /** Replaces the buckets by others with no missed query. */
    public PoolRecall withNone(List<String> names) {
        return new PoolRecall(
                model,
                depth,
                recall,
                names.stream().map(name -> new Bucket(name, 0)).toList());
    }

    /** Counts the judged queries. */
    public static PoolRecall of(
            SearchReport.FirstStage stage, Dataset dataset, List<Query> queries, QueryBuckets placement) {
        int[] missed = new int[placement.bucketNames().size()];
        int found = 0;
        for (int q = 0; q < queries.size(); q++) {
            Query query = queries.get(q);
            Judgments judgments = dataset.qrels().of(query.id());
            Ranking pool = stage.pool().of(query.id());
            if (judgments != null
                    && Measure.relevantRanks(pool, judgments, Measure.NO_CUTOFF)
                            .findAny()
                            .isPresent()) {
                found++;
                continue;
            }
            for (int bucket : placement.bucketsOf(q)) {
                missed[bucket]++;
            }
        }
        List<Bucket> buckets = IntStream.range(0, missed.length)
                .mapToObj(b -> new Bucket(placement.bucketNames().get(b), missed[b]))
                .toList();
        double recall = queries.isEmpty() ? 1 : (double) found / queries.size();
        return new PoolRecall(stage.model(), stage.depth(), recall, buckets);
    }
}

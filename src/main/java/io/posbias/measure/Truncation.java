package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.retrieve.Coverage;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Truncation of texts at a model's token limit.
 *
 * @param maxTokens 0 if the recipe has none
 * @param unit {@code passages} or {@code pairs}
 * @param known false for services that do not report truncation; counts are then 0
 * @param startsPast queries whose evidence begins past the cut, in a bucket or not
 * @param endsPast queries whose evidence ends past the cut; includes {@code startsPast}
 * @param buckets a query in two buckets counts in both; empty if no query has an evidence span
 */
@JsonPropertyOrder({"stage", "max_tokens", "known"})
public record Truncation(
        String stage,
        int maxTokens,
        String unit,
        long total,
        long cut,
        long queriesCut,
        @JsonSetter(nulls = Nulls.SKIP) boolean known,
        @JsonProperty("evidence_starts_past_cut") int startsPast,
        @JsonProperty("evidence_ends_past_cut") int endsPast,
        List<Bucket> buckets) {

    /** A bucket. */
    public record Bucket(
            String bucket,
            @JsonProperty("starts_past_cut") int startsPast,
            @JsonProperty("ends_past_cut") int endsPast) {}

    public Truncation {
        buckets = List.copyOf(buckets);
    }

    /** Counts the truncated evidence of the judged queries. */
    public static Truncation of(Coverage coverage, Dataset dataset, List<Query> queries, QueryBuckets placement) {
        EvidenceCuts cuts = EvidenceCuts.of(coverage, dataset, queries);
        int[] starts = new int[placement.bucketNames().size()];
        int[] ends = new int[starts.length];
        cuts.endsPast().stream().forEach(query -> {
            for (int bucket : placement.bucketsOf(query)) {
                starts[bucket] += cuts.startsPast().get(query) ? 1 : 0;
                ends[bucket]++;
            }
        });
        boolean known = !cuts.located().isEmpty();
        return new Truncation(
                coverage.stage(),
                coverage.maxTokens(),
                coverage.unit() == Coverage.Unit.PASSAGES ? "passages" : "pairs",
                coverage.total(),
                coverage.cut(),
                coverage.queriesCut(),
                coverage.known(),
                cuts.startsPast().cardinality(),
                cuts.endsPast().cardinality(),
                IntStream.range(0, known ? starts.length : 0)
                        .mapToObj(b -> new Bucket(placement.bucketNames().get(b), starts[b], ends[b]))
                        .toList());
    }

    /** Replaces the buckets by others without truncated evidence. */
    public Truncation withNone(List<String> names) {
        if (buckets.isEmpty()) {
            return this;
        }
        List<Bucket> none = names.stream().map(name -> new Bucket(name, 0, 0)).toList();
        return new Truncation(stage, maxTokens, unit, total, cut, queriesCut, known, startsPast, endsPast, none);
    }

    /** Returns true if texts were truncated, or if that is unknown. */
    public boolean isWorthTelling() {
        return !known || cut > 0 || queriesCut > 0;
    }
}

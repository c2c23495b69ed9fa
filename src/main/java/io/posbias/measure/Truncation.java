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
 * What a model did not see because it lay past the model's limit of tokens. Evidence that was never read says nothing on
 * position bias.
 *
 * @param stage the model
 * @param maxTokens its limit; 0 where the recipe does not say
 * @param unit what was cut: {@code passages}, or {@code pairs} of query and passage
 * @param total how many there were
 * @param cut how many were cut
 * @param queriesCut how many queries were cut themselves
 * @param known whether the model tells; where it does not (a vendor's), the counts are 0 and mean nothing
 * @param startsPast queries whose evidence begins past the cut: none of it was seen; those in no bucket count too
 * @param endsPast queries whose evidence ends past the cut, those of {@code startsPast} among them
 * @param buckets the same by position bucket; a query in two buckets counts in both; none where no query's evidence is
 *     known to the character
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

    /**
     * One bucket.
     *
     * @param bucket its name
     * @param startsPast queries whose evidence begins past the cut
     * @param endsPast queries whose evidence ends past the cut
     */
    public record Bucket(
            String bucket,
            @JsonProperty("starts_past_cut") int startsPast,
            @JsonProperty("ends_past_cut") int endsPast) {}

    /** Copies the buckets. */
    public Truncation {
        buckets = List.copyOf(buckets);
    }

    /**
     * Counts, as {@link EvidenceCuts} does.
     *
     * @param queries the judged queries, as they were placed
     */
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

    /** The same by other buckets, where no evidence was cut off. */
    public Truncation withNone(List<String> names) {
        if (buckets.isEmpty()) {
            return this;
        }
        List<Bucket> none = names.stream().map(name -> new Bucket(name, 0, 0)).toList();
        return new Truncation(stage, maxTokens, unit, total, cut, queriesCut, known, startsPast, endsPast, none);
    }

    /** Whether anything was cut, or nobody knows. */
    public boolean isWorthTelling() {
        return !known || cut > 0 || queriesCut > 0;
    }
}

package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.stats.Clusters;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which parts of documents scores come from, over many pairs of query and document. A share is a sum over pairs divided by
 * the sum of their scores: shares of parts sum to 1, and a score near 0 does no harm.
 *
 * @param pairs how many
 * @param cut pairs with a document of which the model reads a part, which is taken for the document
 * @param largestDifference between the sum of a pair's matrix and its score
 * @param slices of all pairs and of those of each bucket; for each text of the queries where they have several
 */
public record TokenProfile(
        int pairs, @JsonProperty("cut_pairs") int cut, double largestDifference, List<Slice> slices) {
    /**
     * Some of the pairs.
     *
     * @param text which text of each query; null where it has but one
     * @param bucket of the evidence; null for all pairs
     * @param units that they are of
     * @param score the mean
     * @param shares of the scores; null where the mean score is not above 0
     * @param evidence null where no pair knows it, or the mean score of those that do is not above 0
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Slice(
            @Nullable String text,
            @Nullable String bucket,
            int pairs,
            int units,
            double score,
            @Nullable Shares shares,
            @Nullable EvidenceShare evidence) {}

    /**
     * A share of the scores.
     *
     * @param interval null for pairs of fewer than two units
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Share(double value, @Nullable Interval interval) {}

    /**
     * Shares of parts of the document: the first four sum to 1.
     *
     * @param special of special tokens and prompt
     * @param querySpecial of those of the query, with all of the document
     * @param firstMinusLast null for pairs of fewer than two units
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Shares(
            Share first,
            Share middle,
            Share last,
            Share special,
            Share querySpecial,
            @JsonProperty("first_less_last") @Nullable Estimate firstMinusLast) {}

    /**
     * What the evidence has of the scores.
     *
     * @param pairs whose evidence is known and read
     * @param tokens mean share of the document's own tokens
     * @param share of the scores
     * @param even what its share would be if all own tokens of a document had the same
     * @param difference of these two; null for pairs of fewer than two units
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record EvidenceShare(
            int pairs,
            double tokens,
            Share share,
            Share even,
            @Nullable Estimate difference) {}

    /**
     * Gathers pairs.
     *
     * @param maps of all pairs, in their order
     * @param confidence of intervals, between 0 and 1
     */
    public static TokenProfile of(TokenPairs pairs, List<TokenMap> maps, double confidence) {
        List<Item> items =
                maps.stream().map(map -> new Item(map.pair(), map.parts())).toList();
        List<Slice> slices = new ArrayList<>();
        for (String text : pairs.texts()) {
            List<Item> own =
                    items.stream().filter(item -> item.pair.text().equals(text)).toList();
            slices.add(slice(text, null, own, confidence));
            for (String bucket : pairs.buckets()) {
                List<Item> there = own.stream()
                        .filter(item -> item.pair.buckets().contains(bucket))
                        .toList();
                if (!there.isEmpty()) {
                    slices.add(slice(text, bucket, there, confidence));
                }
            }
        }
        return new TokenProfile(
                maps.size(),
                (int) maps.stream().filter(map -> map.read().cut()).count(),
                maps.stream().mapToDouble(TokenMap::difference).max().orElse(0),
                slices);
    }

    private record Item(TokenPair pair, TokenMap.Parts parts) {
        TokenMap.Evident evident() {
            return Objects.requireNonNull(parts.evident());
        }

        /** What the evidence would have if all own tokens had the same. */
        double even() {
            return parts.own() * evident().tokens();
        }
    }

    private static Slice slice(String text, @Nullable String bucket, List<Item> items, double confidence) {
        Sample sample = Sample.of(items, confidence);
        return new Slice(
                text.isEmpty() ? null : text,
                bucket,
                items.size(),
                sample.clusters.count(),
                sample.mean(item -> item.parts.whole()),
                sample.hasShares() ? shares(sample) : null,
                evidence(items, confidence));
    }

    private static Shares shares(Sample sample) {
        return new Shares(
                sample.share(item -> item.parts.thirds()[0]),
                sample.share(item -> item.parts.thirds()[1]),
                sample.share(item -> item.parts.thirds()[2]),
                sample.share(item -> item.parts.special()),
                sample.share(item -> item.parts.askedSpecial()),
                sample.estimate(item -> item.parts.thirds()[0] - item.parts.thirds()[2]));
    }

    private static @Nullable EvidenceShare evidence(List<Item> items, double confidence) {
        List<Item> evident =
                items.stream().filter(item -> item.parts.evident() != null).toList();
        Sample sample = Sample.of(evident, confidence);
        return !sample.hasShares()
                ? null
                : new EvidenceShare(
                        evident.size(),
                        sample.mean(item -> item.evident().tokens()),
                        sample.share(item -> item.evident().sum()),
                        sample.share(Item::even),
                        sample.estimate(item -> item.evident().sum() - item.even()));
    }

    /** Pairs, and which of them count as one. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Sample(List<Item> items, double[] scores, Clusters clusters, double confidence) {
        static Sample of(List<Item> items, double confidence) {
            return new Sample(
                    items,
                    items.stream().mapToDouble(item -> item.parts.whole()).toArray(),
                    Clusters.named(items.stream().map(item -> item.pair.unit()).toList()),
                    confidence);
        }

        boolean hasShares() {
            return mean(item -> item.parts.whole()) > 0;
        }

        double mean(ToDoubleFunction<Item> number) {
            return items.stream().mapToDouble(number).average().orElse(0);
        }

        private double[] values(ToDoubleFunction<Item> number) {
            return items.stream().mapToDouble(number).toArray();
        }

        Share share(ToDoubleFunction<Item> number) {
            Estimate estimate = estimate(number);
            return estimate == null
                    ? new Share(mean(number) / mean(item -> item.parts.whole()), null)
                    : new Share(estimate.value(), estimate.interval());
        }

        @Nullable
        Estimate estimate(ToDoubleFunction<Item> number) {
            return clusters.count() < 2 ? null : Estimate.ofRatio(values(number), scores, clusters, confidence);
        }
    }
}

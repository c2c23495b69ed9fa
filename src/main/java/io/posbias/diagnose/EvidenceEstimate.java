package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How evidence was guessed: the sentence of the relevant passage that a model scores highest.
 *
 * @param model the recipe's name
 * @param recipeSha256 the recipe's fingerprint
 * @param severalRelevant queries with several relevant passages, of which the first by identifier was taken
 * @param severalBest queries with several best sentences, but not all of them, of which the first was taken
 * @param oneSentence queries whose passage is one sentence, which is the guess
 * @param againstSpans how far the guess agrees with the benchmark's spans; null where it has fewer than two
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EvidenceEstimate(
        String model,
        String recipeSha256,
        int severalRelevant,
        int severalBest,
        int oneSentence,
        @Nullable Agreement againstSpans) {
    /**
     * The guess against the spans, over the queries that have both.
     *
     * @param overlap of how many the best sentence overlaps the span
     * @param byChance the mean share of a passage's sentences that the span reaches into: what a sentence picked at random
     *     would reach
     * @param spans where the evidence of these queries lies by their spans
     */
    public record Agreement(EvidenceDistribution.EvidenceShare overlap, double byChance, EvidenceDistribution spans) {}
}

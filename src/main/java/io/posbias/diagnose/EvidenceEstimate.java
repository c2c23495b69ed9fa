package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How evidence was estimated: as the sentence of the relevant passage that a model scores highest.
 *
 * @param severalRelevant queries with several relevant passages; the first by identifier was used
 * @param severalBest queries with tied best sentences; the first was used
 * @param oneSentence queries whose passage has one sentence
 * @param againstSpans null with fewer than two spans
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
     * Agreement of estimates with spans.
     *
     * @param overlap estimated sentences that overlap the span
     * @param byChance expected overlap of a random sentence
     */
    public record Agreement(EvidenceDistribution.EvidenceShare overlap, double byChance, EvidenceDistribution spans) {}
}

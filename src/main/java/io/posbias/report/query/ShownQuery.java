package io.posbias.report.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One query of one benchmark: where its evidence is, what models score on it, and what they find.
 *
 * @param dataset the benchmark's name
 * @param query its identifier
 * @param text the question; null where the benchmark is not here
 * @param buckets the names of its buckets
 * @param stratum its band of length; empty for none
 * @param start of the evidence in its passage, in code points; null where that is not known
 * @param end of the evidence
 * @param textLength the passage's length in code points
 * @param relevant its relevant passages with the evidence marked, the one that holds it first; none where the benchmark is not
 *     here
 * @param models in the order of their results
 * @param missing why there are no texts and rankings; null where there are
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ShownQuery(
        String dataset,
        String query,
        @Nullable String text,
        List<String> buckets,
        String stratum,
        @Nullable Integer start,
        @Nullable Integer end,
        @Nullable Integer textLength,
        List<ShownPassage> relevant,
        List<ModelAnswer> models,
        @Nullable String missing) {
    /**
     * A passage.
     *
     * @param passage its identifier
     * @param title empty when it has none
     * @param text what of it is shown
     */
    public record ShownPassage(String passage, String title, Excerpt text) {}

    /**
     * What a model says to the query.
     *
     * @param model its name
     * @param scores by measure
     * @param firstRelevant the rank of the first relevant passage from 1; null where none was found, and without a ranking
     * @param found how many passages were found; null where no run of these texts is here
     * @param ranking the first of them
     * @param unread on evidence that the model may not have read; what is known of the query's buckets
     */
    public record ModelAnswer(
            String model,
            Map<String, Double> scores,
            @Nullable Integer firstRelevant,
            @Nullable Integer found,
            List<RankedPassage> ranking,
            List<String> unread) {}

    /**
     * A passage that was found.
     *
     * @param rank from 1
     * @param passage its identifier
     * @param score the model's
     * @param grade the judgement; null for a passage that was not judged
     * @param text how it begins, or what surrounds the evidence
     */
    public record RankedPassage(
            int rank,
            String passage,
            double score,
            @Nullable Integer grade,
            Excerpt text) {}
}

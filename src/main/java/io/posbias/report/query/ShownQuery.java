package io.posbias.report.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A query with its evidence, and each model's scores and ranking.
 *
 * @param text null if the benchmark is not local
 * @param stratum empty for none
 * @param start of the evidence in code points; null if unknown
 * @param relevant relevant passages, the one with the evidence first; empty if the benchmark is not local
 * @param missing reason for missing texts and rankings; else null
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
    /** A relevant passage. */
    public record ShownPassage(String passage, String title, Excerpt text) {}

    /**
     * Scores and ranking of a model.
     *
     * @param firstRelevant rank of the first relevant passage from 1; null without a hit or a ranking
     * @param found number of passages found; null without a run of these texts
     */
    public record ModelAnswer(
            String model,
            Map<String, Double> scores,
            @Nullable Integer firstRelevant,
            @Nullable Integer found,
            List<RankedPassage> ranking,
            List<String> unread) {}

    /**
     * A retrieved passage.
     *
     * @param rank from 1
     * @param grade null if not judged
     */
    public record RankedPassage(
            int rank,
            String passage,
            double score,
            @Nullable Integer grade,
            Excerpt text) {}
}

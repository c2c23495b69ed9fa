package io.posbias.score.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.rank.Run;
import io.posbias.rank.Ties;
import io.posbias.score.measure.QueryBuckets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts of queries.
 *
 * @param unjudged without judgements, left out
 * @param unanswered judged, with an empty ranking; they score 0
 * @param tied judged, with several ranked passages that all have one score, so that identifiers rank them; null for none
 * @param alike judged, if all have the same passages with the same scores; null if one differs
 * @param alsoPassages judged, with the identifier of a passage that is not relevant for them; null for none
 * @param judgements judgements that were left out or counted once; null for none
 */
public record QueryCounts(
        int judged,
        int unjudged,
        @JsonProperty("in_several_buckets") int inSeveral,
        @JsonProperty("in_no_bucket") int inNone,
        int unanswered,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer tied,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer alike,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer alsoPassages,
        @JsonInclude(JsonInclude.Include.NON_NULL) Qrels.@Nullable Counts judgements) {
    /** Counts the queries of a run. */
    public static QueryCounts of(Dataset dataset, Run run, QueryBuckets placement) {
        List<Query> judged = dataset.judgedQueries();
        int unanswered = (int)
                judged.stream().filter(query -> run.of(query.id()).size() == 0).count();
        Qrels.Counts judgements = dataset.qrels().counts();
        return new QueryCounts(
                judged.size(),
                dataset.queries().size() - judged.size(),
                placement.inSeveral(),
                placement.inNone(),
                unanswered,
                nullIfNone(Ties.tied(run)),
                nullIfNone(Ties.alike(run)),
                nullIfNone(dataset.alsoPassages()),
                judgements.equals(Qrels.Counts.NONE) ? null : judgements);
    }

    private static @Nullable Integer nullIfNone(int count) {
        return count == 0 ? null : (Integer) count;
    }
}

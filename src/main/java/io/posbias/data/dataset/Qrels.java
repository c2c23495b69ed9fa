package io.posbias.data.dataset;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Relevance judgements of a benchmark by query. */
public final class Qrels {
    private final Map<String, Judgments> byQuery;
    private final Counts counts;

    /**
     * Counts of judgements that were not taken as they are in the file.
     *
     * @param absentPassages left out, of passages that are not in the corpus
     * @param absentQueries left out, of queries that are not in the benchmark
     * @param unanswerable judged queries without a relevant passage; they score 0
     * @param repeated equal judgements of one query and passage beyond the first
     * @param secondEvidence queries left out because their answer stands in another sentence, too; null for none
     */
    public record Counts(
            @JsonProperty("absent_passages") int absentPassages,
            @JsonProperty("absent_queries") int absentQueries,
            int unanswerable,
            int repeated,

            @JsonInclude(JsonInclude.Include.NON_NULL) @JsonProperty("second_evidence") @Nullable
            Integer secondEvidence) {
        public static final Counts NONE = new Counts(0, 0, 0, 0, null);

        public Counts plus(Counts other) {
            return new Counts(
                    absentPassages + other.absentPassages,
                    absentQueries + other.absentQueries,
                    unanswerable + other.unanswerable,
                    repeated + other.repeated,
                    secondEvidence == null
                            ? other.secondEvidence
                            : (Integer) (secondEvidence + Objects.requireNonNullElse(other.secondEvidence, 0)));
        }
    }

    public Qrels(Map<String, Judgments> byQuery, Counts counts) {
        this.byQuery = Collections.unmodifiableMap(new LinkedHashMap<>(byQuery));
        this.counts = counts;
    }

    public Qrels(Map<String, Judgments> byQuery) {
        this(byQuery, Counts.NONE);
    }

    /** Null for a query without judgements. */
    public @Nullable Judgments of(String query) {
        return byQuery.get(query);
    }

    public Counts counts() {
        return counts;
    }
}

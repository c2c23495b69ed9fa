package io.posbias.score.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.json.Setting;
import io.posbias.rank.SearchReport;
import io.posbias.score.measure.PoolRecall;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.SearchFacts;
import io.posbias.score.measure.Truncation;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Truncation, first stage and cost of a search.
 *
 * @param firstStage candidates of a reranker; null for one stage
 * @param searchStats statistics of the search, like an approximate index's recall
 * @param usage texts encoded, calls, dollars; differs between runs
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Retrieval(
        @JsonProperty("truncation") @Setting(usual = "[]") List<Truncation> truncations,

        @Nullable PoolRecall firstStage,

        @JsonProperty("search") @Setting(usual = "{}") Map<String, Double> searchStats,

        @JsonProperty("effort") @Setting(usual = "{}") Map<String, Double> usage) {
    /** Unknown, for runs of other systems. */
    public static final Retrieval NONE = new Retrieval(List.of(), null, Map.of(), Map.of());

    /** Counts the facts of a search by buckets. */
    public static Retrieval of(SearchReport report, SearchFacts facts, QueryBuckets placement) {
        SearchReport.FirstStage stage = report.firstStage();
        BitSet missed = facts.missed();
        Map<String, Double> usage = new LinkedHashMap<>();
        report.usage().forEach((name, value) -> usage.put(name, value.doubleValue()));
        return new Retrieval(
                IntStream.range(0, report.truncations().all().size())
                        .mapToObj(model -> Truncation.of(
                                report.truncations().all().get(model),
                                facts.cuts().get(model),
                                placement))
                        .toList(),
                stage == null || missed == null ? null : PoolRecall.of(stage, missed, placement),
                report.searchStats(),
                usage);
    }

    /** Counts the facts of the search by other buckets. */
    public Retrieval in(SearchFacts facts, QueryBuckets placement) {
        BitSet missed = facts.missed();
        return new Retrieval(
                IntStream.range(0, truncations.size())
                        .mapToObj(
                                model -> truncations.get(model).in(facts.cuts().get(model), placement))
                        .toList(),
                firstStage == null || missed == null ? firstStage : firstStage.in(missed, placement),
                searchStats,
                usage);
    }

    /** Returns true for a single stage that truncates nothing. */
    boolean isPlain() {
        return truncations.isEmpty() && firstStage == null;
    }

    public Retrieval {
        truncations = List.copyOf(truncations);
        searchStats = new LinkedHashMap<>(searchStats);
        usage = new LinkedHashMap<>(usage);
    }
}

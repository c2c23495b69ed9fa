package io.posbias.score.measure;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Query;
import io.posbias.rank.SearchReport;
import io.posbias.rank.Truncations;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Facts of a search by judged query, from which truncation and the first stage's recall are counted for any buckets.
 * Queries are identified by index.
 *
 * @param cuts truncated evidence by model, in the order of the search's truncation reports
 * @param missed queries without a relevant passage among the first stage's candidates; null with one stage
 */
public record SearchFacts(List<EvidenceCuts> cuts, @Nullable BitSet missed) {
    /** Facts of a run of another system. */
    public static final SearchFacts NONE = new SearchFacts(List.of(), null);

    public SearchFacts {
        cuts = List.copyOf(cuts);
    }

    /** Looks up the evidence of the queries in the report of their search. */
    public static SearchFacts of(SearchReport report, Dataset dataset, List<Query> queries) {
        SearchReport.FirstStage stage = report.firstStage();
        return new SearchFacts(
                report.truncations().all().stream()
                        .map(truncation -> EvidenceCuts.of(Truncations.of(truncation), dataset, queries))
                        .toList(),
                stage == null ? null : missed(stage, dataset, queries));
    }

    private static BitSet missed(SearchReport.FirstStage stage, Dataset dataset, List<Query> queries) {
        BitSet missed = new BitSet();
        for (int query = 0; query < queries.size(); query++) {
            Judgments judgments = dataset.qrels().of(queries.get(query).id());
            missed.set(
                    query,
                    judgments == null
                            || Measure.relevantRanks(
                                            stage.pool().of(queries.get(query).id()), judgments, Measure.NO_CUTOFF)
                                    .findAny()
                                    .isEmpty());
        }
        return missed;
    }

    /** Returns the evidence that all models read: of each query as much as the model that reads the least of it. */
    public EvidenceCuts readByAll() {
        return EvidenceCuts.readByAll(cuts);
    }

    public SearchFacts at(int[] queries) {
        BitSet own = missed;
        return new SearchFacts(
                cuts.stream().map(cut -> cut.at(queries)).toList(), own == null ? null : at(own, queries));
    }

    static BitSet at(BitSet all, int[] queries) {
        BitSet some = new BitSet();
        IntStream.range(0, queries.length).forEach(index -> some.set(index, all.get(queries[index])));
        return some;
    }
}

package io.posbias.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.report.Results;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.SearchFacts;
import io.posbias.score.result.CellQueries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuerySampleTest {
    private static final List<List<String>> BUCKETS = List.of(
            List.of("beginning"),
            List.of("beginning"),
            List.of("beginning"),
            List.of("end"),
            List.of(),
            List.of("middle", "end"));

    /** Scores on nDCG@10 of the queries 0 to 5, in the buckets above. */
    private static CellQueries cell(String model, double... ndcg) {
        List<Query> queries = new ArrayList<>();
        for (int q = 0; q < ndcg.length; q++) {
            queries.add(new Query("q" + q, "", null));
        }
        double[][] values = {ndcg, Arrays.copyOf(new double[] {1}, ndcg.length)};
        return new CellQueries(
                Results.of(model, "dense", "x", 0.9),
                new Scores(queries, Measures.parseAll("nDCG@10,R@5"), values),
                QueryBuckets.ofNames(
                        Bucketing.parse(DatasetCard.FINEWEB_POSQ_BUCKETS),
                        BUCKETS.subList(0, ndcg.length),
                        queries.stream().map(query -> "").toList(),
                        Clustering.none(queries.size())),
                SearchFacts.NONE,
                List.of());
    }

    private static List<String> ids(List<SampledQuery> sample) {
        return sample.stream().map(SampledQuery::id).toList();
    }

    @Test
    void theQueryOnWhichModelsDifferMostComesFromEachBucketInTurn() {
        List<CellQueries> cells =
                List.of(cell("a", 0.5, 1.0, 0.0, 1.0, 0.3, 0.4), cell("b", 0.5, 0.1, 0.4, 1.0, 0.3, 0.0));
        // Spreads: 0, 0.9, 0.4 at the beginning; 0.4 in the middle, 0 at the end and in none.
        assertThat(ids(QuerySample.choose(cells, "nDCG@10", 100))).containsExactly("q1", "q5", "q3", "q4", "q2", "q0");
        assertThat(ids(QuerySample.choose(cells, "nDCG@10", 2))).containsExactly("q1", "q5");
        assertThat(QuerySample.count(cells)).isEqualTo(6);
    }

    @Test
    void amongEqualsTheWorstComeFirstThenTheFilesOrder() {
        List<CellQueries> one = List.of(cell("a", 0.5, 0.0, 0.5));
        assertThat(ids(QuerySample.choose(one, "nDCG@10", 3))).containsExactly("q1", "q0", "q2");
        // A measure that no cell has decides nothing.
        assertThat(ids(QuerySample.choose(one, "P@10", 3))).containsExactly("q0", "q1", "q2");
    }

    @Test
    void aQueryHasTheScoresOfTheModelsThatWereAskedIt() {
        List<CellQueries> cells = List.of(cell("a", 0.5), cell("b", 0.25, 1.0));
        List<SampledQuery> sample = QuerySample.choose(cells, "nDCG@10", 2);
        assertThat(sample.getFirst().scores())
                .isEqualTo(Map.of("a", Map.of("nDCG@10", 0.5, "R@5", 1.0), "b", Map.of("nDCG@10", 0.25, "R@5", 1.0)));
        assertThat(sample.getLast().scores()).isEqualTo(Map.of("b", Map.of("nDCG@10", 1.0, "R@5", 0.0)));
        assertThat(sample.getFirst().buckets()).containsExactly("beginning");
    }
}

package io.posbias.score.measure;

import io.posbias.base.process.Parallel;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Query;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One number per measure and judged query. Iterates over the judged queries, not the run, so that an unanswered query scores 0.
 *
 * @param queries in file order
 * @param values {@code [measure][query]}; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Scores(List<Query> queries, List<Measure> measures, double[][] values) {
    private static final int CHUNK = 512;

    public Scores {
        queries = List.copyOf(queries);
        measures = List.copyOf(measures);
    }

    /** Measures a run against a benchmark's judgements. */
    public static Scores of(Run run, Dataset dataset, List<Measure> measures, int threads) {
        List<Query> queries = dataset.judgedQueries();
        double[][] values = new double[measures.size()][queries.size()];
        Parallel.forChunks(threads, queries.size(), CHUNK, () -> (from, to) -> {
            for (int q = from; q < to; q++) {
                String id = queries.get(q).id();
                Ranking ranking = run.of(id);
                Judgments judgments = Objects.requireNonNull(dataset.qrels().of(id), "judged queries have judgements");
                for (int m = 0; m < values.length; m++) {
                    values[m][q] = measures.get(m).score(ranking, judgments);
                }
            }
        });
        return new Scores(queries, measures, values);
    }

    /** The scores of some queries, by index. */
    public Scores at(int[] places) {
        return new Scores(
                Arrays.stream(places).mapToObj(queries::get).toList(),
                measures,
                Arrays.stream(values)
                        .map(all -> Arrays.stream(places)
                                .mapToDouble(place -> all[place])
                                .toArray())
                        .toArray(double[][]::new));
    }

    /** The scores of a query, by measure. */
    public Map<String, Double> ofQuery(int query) {
        Map<String, Double> scores = new LinkedHashMap<>();
        measures.forEach(measure -> scores.put(measure.toString(), values[scores.size()][query]));
        return scores;
    }

    /** The scores of a measure, one per query. */
    public double[] of(int measure) {
        return values[measure].clone();
    }
}

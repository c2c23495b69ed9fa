package io.posbias.measure;

import io.posbias.Parallel;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Query;
import io.posbias.retrieve.Ranking;
import io.posbias.retrieve.Run;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * One number for each measure and judged query. The loop goes over the judged queries and never over the run, so a query
 * that was answered with nothing scores 0, here and nowhere else.
 *
 * @param queries the judged queries, in file order
 * @param values for each measure one score for each query; kept
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Scores(List<Query> queries, List<Measure> measures, double[][] values) {
    private static final int CHUNK = 512;

    /** Copies the lists. */
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

    /** The scores of some queries, by their places. */
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

    /** The scores of a measure, one for each of {@link #queries()}. */
    public double[] of(int measure) {
        return values[measure].clone();
    }
}

package io.posbias.model.inside.torch;

import java.util.Arrays;
import java.util.List;

/**
 * InfoNCE loss of a batch with in-batch negatives, averaged over queries. Logits are scaled cosines. Van den Oord et
 * al. 2018, arXiv:1807.03748.
 *
 * @param loss in nats
 * @param toQueries gradient with respect to the query vectors
 * @param toPassages gradient with respect to the passage vectors
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record InfoNce(double loss, float[][] toQueries, float[][] toPassages) {
    /**
     * Computes loss and gradients.
     *
     * @param queries query vectors of length 1, by pair
     * @param passages passage vectors of length 1, by pair
     */
    static InfoNce of(List<Pair> pairs, float[][] queries, float[][] passages, double scale) {
        int n = pairs.size();
        double loss = 0;
        double[][] toScores = new double[n][];
        for (int i = 0; i < n; i++) {
            double[] row = scores(pairs, i, queries[i], passages, scale);
            loss += softmax(row, i) / n;
            for (int j = 0; j < n; j++) {
                row[j] = scale / n * (row[j] - (i == j ? 1 : 0));
            }
            toScores[i] = row;
        }
        return new InfoNce(loss, weighed(toScores, passages, false), weighed(toScores, queries, true));
    }

    private static double[] scores(List<Pair> pairs, int i, float[] query, float[][] passages, double scale) {
        double[] scores = new double[passages.length];
        for (int j = 0; j < scores.length; j++) {
            boolean counts = i == j || pairs.get(i).isNegative(pairs.get(j));
            scores[j] = counts ? scale * dot(query, passages[j]) : Double.NEGATIVE_INFINITY;
        }
        return scores;
    }

    private static double dot(float[] a, float[] b) {
        double sum = 0;
        for (int k = 0; k < a.length; k++) {
            sum += (double) a[k] * b[k];
        }
        return sum;
    }

    /** Replaces scores by their softmax and returns the cross entropy of one of them. */
    private static double softmax(double[] scores, int wanted) {
        double most = scores[wanted];
        for (double score : scores) {
            most = Math.max(most, score);
        }
        double own = scores[wanted] - most;
        double sum = 0;
        for (int j = 0; j < scores.length; j++) {
            scores[j] = Math.exp(scores[j] - most);
            sum += scores[j];
        }
        for (int j = 0; j < scores.length; j++) {
            scores[j] /= sum;
        }
        return Math.log(sum) - own;
    }

    private static float[][] weighed(double[][] weights, float[][] vectors, boolean turned) {
        int n = vectors.length;
        float[][] sums = new float[n][];
        double[] sum = new double[vectors[0].length];
        for (int i = 0; i < n; i++) {
            Arrays.fill(sum, 0);
            for (int j = 0; j < n; j++) {
                double weight = turned ? weights[j][i] : weights[i][j];
                for (int k = 0; k < sum.length; k++) {
                    sum[k] += weight * vectors[j][k];
                }
            }
            sums[i] = new float[sum.length];
            for (int k = 0; k < sum.length; k++) {
                sums[i][k] = (float) sum[k];
            }
        }
        return sums;
    }
}

package io.posbias.model.inside.torch;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * InfoNCE loss of a batch, averaged over queries. The negatives of a query are its own hard ones, and the passages and hard
 * negatives of the other pairs. Logits are scaled cosines. Van den Oord et al. 2018, arXiv:1807.03748.
 *
 * @param loss in nats
 * @param toQueries gradient with respect to the query vectors
 * @param toPassages gradient with respect to the vectors of the {@link #texts}
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record InfoNce(double loss, float[][] toQueries, float[][] toPassages) {
    /**
     * Computes loss and gradients.
     *
     * @param queries query vectors of length 1, by pair
     * @param passages vectors of length 1 of the {@link #texts}
     */
    static InfoNce of(List<Pair> pairs, float[][] queries, float[][] passages, double scale) {
        int n = pairs.size();
        double loss = 0;
        double[][] toScores = new double[n][];
        boolean[][] counted = counted(pairs, passages.length);
        for (int i = 0; i < n; i++) {
            double[] row = scores(counted[i], queries[i], passages, scale);
            loss += softmax(row, i) / n;
            for (int j = 0; j < row.length; j++) {
                row[j] = scale / n * (row[j] - (i == j ? 1 : 0));
            }
            toScores[i] = row;
        }
        return new InfoNce(loss, weighed(toScores, passages), weighed(turned(toScores), queries));
    }

    /** Returns the passages of a batch by pair, then the hard negatives of the first pair, of the second, and so on. */
    static List<Pair.Text> texts(List<Pair> pairs) {
        return Stream.concat(
                        pairs.stream().map(Pair::passage), pairs.stream().flatMap(pair -> pair.negatives().stream()))
                .toList();
    }

    /** By pair and text, whether the text is the pair's passage or a negative of its query. */
    private static boolean[][] counted(List<Pair> pairs, int texts) {
        int n = pairs.size();
        boolean[][] counted = new boolean[n][texts];
        for (int i = 0; i < n; i++) {
            Pair pair = pairs.get(i);
            int next = n;
            for (int j = 0; j < n; j++) {
                counted[i][j] = i == j || pair.isNegative(pairs.get(j));
                for (Pair.Text negative : pairs.get(j).negatives()) {
                    counted[i][next++] = i == j || pair.isNegative(negative);
                }
            }
        }
        return counted;
    }

    private static double[] scores(boolean[] counted, float[] query, float[][] passages, double scale) {
        double[] scores = new double[passages.length];
        for (int j = 0; j < scores.length; j++) {
            scores[j] = counted[j] ? scale * dot(query, passages[j]) : Double.NEGATIVE_INFINITY;
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

    private static double[][] turned(double[][] weights) {
        double[][] turned = new double[weights[0].length][weights.length];
        for (int i = 0; i < weights.length; i++) {
            for (int j = 0; j < turned.length; j++) {
                turned[j][i] = weights[i][j];
            }
        }
        return turned;
    }

    private static float[][] weighed(double[][] weights, float[][] vectors) {
        float[][] sums = new float[weights.length][];
        double[] sum = new double[vectors[0].length];
        for (int i = 0; i < sums.length; i++) {
            Arrays.fill(sum, 0);
            for (int j = 0; j < vectors.length; j++) {
                for (int k = 0; k < sum.length; k++) {
                    sum[k] += weights[i][j] * vectors[j][k];
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

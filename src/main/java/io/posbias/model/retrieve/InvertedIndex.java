package io.posbias.model.retrieve;

import io.posbias.base.process.Parallel;
import io.posbias.base.process.Progress;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.rank.BestHits;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import io.posbias.rank.SearchStat;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Inverted index of sparse vectors, whose rows are pairs of a token of the vocabulary and its weight. A score is the inner
 * product, summed as doubles in the order of token ids. A hit shares a token with the query.
 */
final class InvertedIndex extends VectorIndex {
    private static final int PAIR = TextEncoder.PAIR;

    private final Map<Integer, Postings> postings = new HashMap<>();

    InvertedIndex(EncodedPassages passages, int threads) {
        super(passages, threads);
        for (int passage = 0; passage < passages.vectors().size(); passage++) {
            float[] pairs = passages.vectors().read(passage);
            for (int i = 0; i < pairs.length; i += PAIR) {
                postings.computeIfAbsent((int) pairs[i], id -> new Postings()).add(passage, pairs[i + 1]);
            }
        }
    }

    enum Sparse implements VectorRetriever.Kind {
        PAIRS
    }

    /** Passages of one token, ascending, with their weights. */
    private static final class Postings {
        private int[] passages = new int[2];
        private float[] weights = new float[2];
        private int size;

        void add(int passage, float weight) {
            if (size == passages.length) {
                passages = Arrays.copyOf(passages, size + size / 2);
                weights = Arrays.copyOf(weights, size + size / 2);
            }
            passages[size] = passage;
            weights[size++] = weight;
        }

        void addTo(double[] sums, double weight) {
            for (int i = 0; i < size; i++) {
                sums[passages[i]] += weight * weights[i];
            }
        }
    }

    @Override
    Ranking[] search(Vectors queries, int k, Progress.Step step) {
        Ranking[] rankings = new Ranking[queries.size()];
        Parallel.forChunks(threads, rankings.length, 1, () -> {
            double[] sums = new double[passages.vectors().size()];
            BestHits best = BestHits.positive(Math.min(k, sums.length));
            return (from, to) -> {
                add(queries.read(from), sums);
                rankings[from] = best.takeBest(sums);
                step.advance(1);
            };
        });
        return rankings;
    }

    @Override
    Ranking[] score(Vectors queries, Run pool) {
        Ranking[] rankings = new Ranking[queries.size()];
        Parallel.forChunks(threads, rankings.length, 1, () -> {
            double[] sums = new double[passages.vectors().size()];
            return (from, to) -> {
                Arrays.fill(sums, 0);
                add(queries.read(from), sums);
                int[] candidates = passages.encoded(pool.ranking(from).passages());
                float[] scores = new float[candidates.length];
                for (int i = 0; i < scores.length; i++) {
                    // As in a search, a sum that is not positive is no hit.
                    scores[i] = (float) Math.max(0, sums[passages.place(candidates[i])]);
                }
                rankings[from] = Ranking.of(candidates, scores);
            };
        });
        return rankings;
    }

    private void add(float[] query, double[] sums) {
        for (int i = 0; i < query.length; i += PAIR) {
            Postings own = postings.get((int) query[i]);
            if (own != null) {
                own.addTo(sums, query[i + 1]);
            }
        }
    }

    @Override
    Map<String, Double> size() {
        double pairs = IntStream.range(0, passages.vectors().size())
                .map(passages.vectors()::rows)
                .average()
                .orElse(0);
        return Map.of(SearchStat.BYTES.key(), pairs * PAIR * Float.BYTES);
    }

    @Override
    public void close() {
        // All is in memory.
    }
}

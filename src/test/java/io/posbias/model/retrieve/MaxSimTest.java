package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.cache.RaggedVectors;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.cache.Vectors;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaxSimTest {
    private static final int DIMENSION = 128;

    @TempDir
    Path temp;

    private int folders;

    private Vectors vectors(List<float[]> texts) {
        return RaggedVectors.of(temp.resolve("v" + folders++), DIMENSION, texts);
    }

    private static List<float[]> random(long seed, int... tokens) {
        Random random = new Random(seed);
        List<float[]> texts = new ArrayList<>();
        for (int count : tokens) {
            float[] text = new float[count * DIMENSION];
            for (int i = 0; i < text.length; i++) {
                text[i] = (float) random.nextGaussian();
            }
            texts.add(text);
        }
        return texts;
    }

    private static float[] all(float[] text, float factor) {
        float[] signed = new float[text.length];
        for (int i = 0; i < text.length; i++) {
            signed[i] = factor * Math.abs(text[i]);
        }
        return signed;
    }

    /** The definition: no matrix, no block, no padding. */
    private static double loop(float[] query, float[] passage, boolean mean) {
        double sum = 0;
        for (int q = 0; q < query.length; q += DIMENSION) {
            double best = passage.length == 0 ? 0 : Double.NEGATIVE_INFINITY;
            for (int p = 0; p < passage.length; p += DIMENSION) {
                double product = 0;
                for (int i = 0; i < DIMENSION; i++) {
                    product += (double) query[q + i] * passage[p + i];
                }
                best = Math.max(best, product);
            }
            sum += best;
        }
        return mean ? sum * DIMENSION / query.length : sum;
    }

    private static MaxSim maxSim(Vectors passages, boolean mean) {
        return new MaxSim(
                AllPassages.of(passages),
                new MaxSim.Late(VectorCache.VectorFormat.FLOAT32, mean),
                Engine.quiet(1, Sessions.shared()));
    }

    private static float[][] block(
            MaxSim.Worker worker, Vectors queries, int from, int to, Vectors passages, int[] which) {
        float[][] scores = new float[to - from][passages.size()];
        worker.load(queries, from, to, MaxSim.QUERY_TOKENS);
        worker.score(which, (query, passage, score) -> scores[query][passage] = score);
        return scores;
    }

    private static float[] one(MaxSim.Worker worker, Vectors queries, int query, Vectors passages, int[] which) {
        float[] scores = new float[passages.size()];
        worker.load(queries, query, query + 1, 1);
        worker.score(which, (only, passage, score) -> scores[passage] = score);
        return scores;
    }

    private static int[] everyOne(Vectors passages) {
        return IntStream.range(0, passages.size()).toArray();
    }

    /** One token, none, just as many as a product takes, one more, many more. */
    private static final int[] PASSAGES = {1, 0, 7, 60, 299, 1, 300, 301, 25, 0, 700, 3, 180, 180, 40};

    private static final int[] QUERIES = {32, 1, 32, 900, 1024, 1100, 5, 32};

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void scoresAreThePlainLoops(boolean mean) {
        List<float[]> asked = random(1, QUERIES);
        List<float[]> read = random(2, PASSAGES);
        Vectors queries = vectors(asked);
        Vectors passages = vectors(read);
        try (MaxSim maxSim = maxSim(passages, mean)) {
            MaxSim.Worker worker = maxSim.worker();
            int blocks = 0;
            for (int from = 0; from < queries.size(); from = MaxSim.blockEnd(queries, from)) {
                int to = MaxSim.blockEnd(queries, from);
                float[][] scores = block(worker, queries, from, to, passages, everyOne(passages));
                for (int q = from; q < to; q++) {
                    float[] alone = one(worker, queries, q, passages, everyOne(passages));
                    for (int p = 0; p < read.size(); p++) {
                        double expected = loop(asked.get(q), read.get(p), mean);
                        double tolerance = 1e-5 * Math.max(1, Math.abs(expected));
                        assertThat((double) scores[q - from][p])
                                .as("query %d, passage %d", q, p)
                                .isCloseTo(expected, within(tolerance));
                        assertThat((double) alone[p]).isCloseTo(expected, within(tolerance));
                    }
                }
                blocks++;
            }
            // 32, 1, 32, 900; 1024; 1100; 5, 32
            assertThat(blocks).isEqualTo(4);
        }
    }

    @Test
    void aBestMatchBelowZeroStaysBelowZero() {
        float[] query = all(random(3, 9).getFirst(), 1);
        float[] passage = all(random(4, 5).getFirst(), -1);
        Vectors queries = vectors(List.of(query, query));
        Vectors passages = vectors(List.of(passage, all(passage, 1), passage));
        try (MaxSim maxSim = maxSim(passages, false)) {
            double expected = loop(query, passage, false);
            assertThat(expected).isNegative();
            float[][] scores = block(maxSim.worker(), queries, 0, 2, passages, everyOne(passages));
            float[] alone = one(maxSim.worker(), queries, 1, passages, everyOne(passages));
            for (int p : new int[] {0, 2}) {
                assertThat((double) scores[0][p]).isCloseTo(expected, within(1e-3));
                assertThat((double) scores[1][p]).isCloseTo(expected, within(1e-3));
                assertThat((double) alone[p]).isCloseTo(expected, within(1e-3));
            }
        }
    }

    @Test
    void aPassageWithoutATokenScoresZero() {
        Vectors queries = vectors(random(5, 4));
        Vectors passages = vectors(random(6, 0, 0));
        try (MaxSim maxSim = maxSim(passages, false)) {
            assertThat(one(maxSim.worker(), queries, 0, passages, everyOne(passages)))
                    .containsExactly(0, 0);
        }
    }

    /** Bit for bit, whoever else is in the block and whatever the worker did before. */
    @Test
    void aQueryScoresTheSameInABlockAsAlone() {
        Vectors queries = vectors(random(7, 32, 5, 1, 32, 64, 900, 17));
        Vectors passages = vectors(random(8, PASSAGES));
        try (MaxSim maxSim = maxSim(passages, false)) {
            MaxSim.Worker worker = maxSim.worker();
            int end = MaxSim.blockEnd(queries, 0);
            assertThat(end).isEqualTo(5);
            float[][] together = block(worker, queries, 0, end, passages, everyOne(passages));
            for (int q = 0; q < end; q++) {
                assertThat(block(worker, queries, q, q + 1, passages, everyOne(passages))[0])
                        .isEqualTo(together[q]);
                assertThat(block(maxSim.worker(), queries, q, q + 1, passages, everyOne(passages))[0])
                        .isEqualTo(together[q]);
            }
        }
    }

    /** The same passage first, in the middle of a product, behind an empty one and last. */
    @Test
    void equalPassagesTieWhereverTheyStand() {
        List<float[]> read = new ArrayList<>();
        List<Integer> twins = new ArrayList<>();
        float[] twin = random(9, 33).getFirst();
        int[] between = {2, 100, 0, 299, 1, 170, 301, 6, 5, 4, 3};
        for (int i = 0; i < between.length; i++) {
            twins.add(read.size());
            read.add(twin);
            read.add(random(10 + i, between[i]).getFirst());
        }
        twins.add(read.size());
        read.add(twin);
        Vectors passages = vectors(read);
        Vectors queries = vectors(random(30, 1, 7, 32, 33));
        try (MaxSim maxSim = maxSim(passages, false)) {
            float[][] scores = block(maxSim.worker(), queries, 0, 4, passages, everyOne(passages));
            int[] backwards = IntStream.range(0, read.size())
                    .map(i -> read.size() - 1 - i)
                    .toArray();
            float[][] turned = block(maxSim.worker(), queries, 0, 4, passages, backwards);
            for (int q = 0; q < 4; q++) {
                float[] alone = one(maxSim.worker(), queries, q, passages, everyOne(passages));
                for (int place : twins) {
                    assertThat(scores[q][place]).isEqualTo(scores[q][0]);
                    assertThat(turned[q][place]).isEqualTo(scores[q][0]);
                    assertThat(alone[place]).as("query %d alone", q).isEqualTo(alone[0]);
                }
            }
        }
    }

    @Test
    void onlyWhatIsAskedForIsScoredInItsOrder() {
        Vectors queries = vectors(random(40, 3));
        Vectors passages = vectors(random(41, 5, 400, 6, 7));
        List<Integer> scored = new ArrayList<>();
        try (MaxSim maxSim = maxSim(passages, false)) {
            MaxSim.Worker worker = maxSim.worker();
            worker.load(queries, 0, 1, 1);
            worker.score(new int[] {3, 1, 0}, (query, passage, score) -> scored.add(passage));
        }
        assertThat(scored).isEqualTo(Arrays.asList(3, 1, 0));
    }
}

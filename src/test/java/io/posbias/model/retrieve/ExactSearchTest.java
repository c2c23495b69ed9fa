package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.process.Progress;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.cache.FixedVectors;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.rank.BestHits;
import io.posbias.rank.Ranking;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a double loop. */
class ExactSearchTest {
    private static final int DIMENSION = 24;

    @TempDir
    Path temp;

    private int folders;

    private static float[][] random(int count, int dimension, long seed) {
        Random random = new Random(seed);
        float[][] vectors = new float[count][dimension];
        for (float[] vector : vectors) {
            for (int i = 0; i < dimension; i++) {
                vector[i] = (float) random.nextGaussian();
            }
        }
        return vectors;
    }

    private Vectors vectors(float[]... vectors) {
        return FixedVectors.of(temp.resolve("v" + folders++), vectors);
    }

    private static Ranking[] search(Vectors queries, Vectors passages, int k, int threads, boolean topK) {
        try (ExactSearch search =
                new ExactSearch(OnnxRuntime.onCpu(Sessions.shared()), threads, AllPassages.of(passages), topK)) {
            return search.search(queries, k, Progress.NONE.start("", 0));
        }
    }

    private static double product(float[] left, float[] right) {
        return IntStream.range(0, left.length)
                .mapToDouble(i -> (double) left[i] * right[i])
                .sum();
    }

    private static void same(Ranking[] left, Ranking[] right) {
        assertThat(left).hasSameSizeAs(right);
        for (int i = 0; i < left.length; i++) {
            assertThat(left[i].passages()).isEqualTo(right[i].passages());
            for (int rank = 0; rank < left[i].size(); rank++) {
                assertThat(Float.floatToIntBits(left[i].score(rank)))
                        .isEqualTo(Float.floatToIntBits(right[i].score(rank)));
            }
        }
    }

    /** Fewer than a tile, just a tile, just more than one, and more than two; more than one tile of queries. */
    @ParameterizedTest
    @CsvSource({"1, 3, 10", "7, 3, 100", "1023, 5, 10", "1024, 5, 10", "1025, 300, 20", "2500, 257, 100"})
    void findsWhatADoubleLoopFinds(int passages, int queries, int k) {
        float[][] left = random(queries, DIMENSION, 1);
        float[][] right = random(passages, DIMENSION, 2);
        Vectors asked = vectors(left);
        Vectors corpus = vectors(right);
        Ranking[] found = search(asked, corpus, k, 1, false);
        for (int q = 0; q < queries; q++) {
            float[] query = left[q];
            double[] scores = Arrays.stream(right)
                    .mapToDouble(passage -> product(query, passage))
                    .toArray();
            List<Integer> expected = IntStream.range(0, passages)
                    .boxed()
                    .sorted(Comparator.comparingDouble(p -> -scores[p]))
                    .limit(k)
                    .toList();
            assertThat(found[q].size()).isEqualTo(Math.min(k, passages));
            for (int rank = 0; rank < expected.size(); rank++) {
                assertThat(found[q].passage(rank)).isEqualTo(expected.get(rank));
                assertThat((double) found[q].score(rank)).isCloseTo(scores[expected.get(rank)], within(1e-4));
            }
        }
        same(search(asked, corpus, k, 2, false), found);
        same(search(asked, corpus, k, 1, true), found);
    }

    @Test
    void scoresMayAllBeNegative() {
        Ranking[] found =
                search(vectors(new float[] {-1, 0}), vectors(new float[] {3, 0}, new float[] {1, 0}), 5, 1, false);
        assertThat(found[0].passages()).containsExactly(1, 0);
        assertThat(found[0].score(0)).isEqualTo(-1);
    }

    /** The corpus is read in blocks of whole tiles; a block that ends with part of a tile begins earlier. */
    @ParameterizedTest
    @CsvSource({"1, 1025, 256", "127, 2047, 257", "384, 3000, 300"})
    void blocksDoNotChangeRankings(int dimension, int passages, int queries) {
        Vectors asked = vectors(random(queries, dimension, 4));
        Vectors corpus = vectors(random(passages, dimension, 5));
        Ranking[] whole = search(asked, corpus, 20, 1, false);
        long tile = (long) ExactSearch.PASSAGES * dimension * Float.BYTES;
        for (boolean topK : new boolean[] {false, true}) {
            try (ExactSearch search =
                    new ExactSearch(OnnxRuntime.onCpu(Sessions.shared()), 2, AllPassages.of(corpus), topK, tile)) {
                assertThat(search.pieces()).isEqualTo(Math.ceilDiv(passages, ExactSearch.PASSAGES));
                same(search.search(asked, 20, Progress.NONE.start("", 0)), whole);
            }
        }
    }

    /** One vector at the beginning, in the middle and in the last, overlapping tile. */
    @Test
    void equalPassagesTieWhereverTheyStand() {
        float[][] passages = random(2_300, DIMENSION, 3);
        int[] twins = {0, 5, 700, 1023, 1024, 2047, 2048, 2299};
        float[] best = passages[0].clone();
        for (int i = 0; i < DIMENSION; i++) {
            best[i] *= 9;
        }
        Arrays.stream(twins).forEach(place -> passages[place] = best.clone());
        Vectors corpus = vectors(passages);
        for (boolean topK : new boolean[] {false, true}) {
            Ranking found = search(vectors(best), corpus, 20, 1, topK)[0];
            assertThat(Arrays.copyOf(found.passages(), twins.length)).containsExactly(twins);
            assertThat(IntStream.range(0, twins.length).mapToObj(found::score).distinct())
                    .hasSize(1);
        }
    }

    @Test
    void aScoreThatIsNoNumberIsRefusedHoweverManyWereKept() {
        float huge = Float.MAX_VALUE;
        Vectors passages = vectors(new float[] {1, 1}, new float[] {2, 2}, new float[] {huge, -huge});
        Vectors queries = vectors(new float[] {huge, huge});
        assertThatThrownBy(() -> search(queries, passages, 3, 1, false)).hasMessageContaining("score");
        BestHits full = BestHits.any(1);
        full.offer(0, 5);
        assertThatThrownBy(() -> full.offer(1, Float.NaN)).hasMessageContainingAll("passage", "NaN");
    }
}

package io.posbias.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.posbias.Parallel;
import io.posbias.Progress;
import io.posbias.encode.cache.FixedVectors;
import io.posbias.encode.cache.Vectors;
import io.posbias.encode.onnx.OnnxRuntime;
import io.posbias.retrieve.ExactSearch.Screening;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Screened search against the search in floats, bit by bit, and the bounds against doubles. */
class ScreenTest {
    private static final int PASSAGES = 2_600;
    private static final int QUERIES = 270;
    private static final int DIMENSION = 160;

    @TempDir
    Path temp;

    private int folders;

    /** What may trouble a bound, done to passages; some are done to queries as well. */
    enum Trouble implements UnaryOperator<float[][]> {
        NONE,
        EQUAL {
            @Override
            public float[][] apply(float[][] vectors) {
                for (int i = 0; i < vectors.length; i += 7) {
                    vectors[i] = vectors[i % 70].clone();
                }
                return vectors;
            }
        },
        ALL_EQUAL {
            @Override
            public float[][] apply(float[][] vectors) {
                Arrays.fill(vectors, vectors[0]);
                return vectors;
            }
        },
        /** One rounding of a number apart: bytes do not tell them apart. */
        NEARLY_EQUAL {
            @Override
            public float[][] apply(float[][] vectors) {
                for (int i = 1; i < vectors.length; i++) {
                    vectors[i] = vectors[0].clone();
                    vectors[i][i % DIMENSION] = Math.nextUp(vectors[0][i % DIMENSION]);
                }
                return vectors;
            }
        },
        ZEROS {
            @Override
            public float[][] apply(float[][] vectors) {
                for (int i = 0; i < vectors.length; i += 3) {
                    Arrays.fill(vectors[i], i % 2 == 0 ? 0 : -0f);
                }
                return vectors;
            }
        },
        LENGTHS_FROM_TINY_TO_HUGE {
            @Override
            public float[][] apply(float[][] vectors) {
                for (int i = 0; i < vectors.length; i++) {
                    scale(vectors[i], (float) Math.pow(10, i % 30 - 15));
                }
                return vectors;
            }
        },
        DENORMAL {
            @Override
            public float[][] apply(float[][] vectors) {
                for (int i = 0; i < vectors.length; i++) {
                    scale(vectors[i], i % 5 == 0 ? 1e-42f : 1e-21f);
                }
                return vectors;
            }
        },
        /** One number beside which all others are rounded to nothing. */
        SPIKES {
            @Override
            public float[][] apply(float[][] vectors) {
                for (int i = 0; i < vectors.length; i++) {
                    vectors[i][i % 2] = 1_000 * (1 + i % 3);
                }
                return vectors;
            }
        },
        /** Passages far from 0, all on one side, as many encoders put them. */
        SHIFTED {
            @Override
            public float[][] apply(float[][] vectors) {
                for (float[] vector : vectors) {
                    for (int d = 0; d < vector.length; d++) {
                        vector[d] += 3;
                    }
                }
                return vectors;
            }
        },
        /** The best come last, so that whatever was taken for good before is not. */
        ASCENDING {
            @Override
            public float[][] apply(float[][] vectors) {
                for (int i = 0; i < vectors.length; i++) {
                    scale(vectors[i], 1 + i / 1000f);
                }
                return vectors;
            }
        };

        @Override
        public float[][] apply(float[][] vectors) {
            return vectors;
        }
    }

    private static void scale(float[] vector, float by) {
        for (int d = 0; d < vector.length; d++) {
            vector[d] *= by;
        }
    }

    private static float[][] random(int count, int dimension, long seed) {
        Random random = new Random(seed);
        float[][] vectors = new float[count][dimension];
        for (float[] vector : vectors) {
            for (int d = 0; d < dimension; d++) {
                vector[d] = (float) random.nextGaussian();
            }
        }
        return vectors;
    }

    private Vectors vectors(float[]... vectors) {
        return FixedVectors.of(temp.resolve("v" + folders++), vectors);
    }

    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Found(Ranking[] rankings, double shareScored) {}

    private static Found search(Vectors queries, Vectors passages, int k, Screening screening, int tiles, int threads) {
        long chunk = (long) tiles * ExactSearch.PASSAGES * passages.dimension() * Float.BYTES;
        try (ExactSearch search =
                new ExactSearch(OnnxRuntime.onCpu(), threads, passages.dimension(), false, screening, chunk)) {
            return new Found(search.search(queries, passages, k, Progress.NONE.start("", 0)), search.shareScored());
        }
    }

    /** Floats on one thread, the screen on two. */
    private static double compared(Vectors queries, Vectors passages, int k, int tiles) {
        Found floats = search(queries, passages, k, Screening.NEVER, tiles, 1);
        Found screened = search(queries, passages, k, Screening.ALWAYS, tiles, 2);
        assertThat(floats.shareScored()).isEqualTo(1);
        same(screened.rankings(), floats.rankings());
        return screened.shareScored();
    }

    private static void same(Ranking[] left, Ranking[] right) {
        assertThat(left).hasSameSizeAs(right);
        for (int i = 0; i < left.length; i++) {
            assertThat(left[i].passages()).isEqualTo(right[i].passages());
            for (int rank = 0; rank < left[i].size(); rank++) {
                assertThat(Float.floatToRawIntBits(left[i].score(rank)))
                        .isEqualTo(Float.floatToRawIntBits(right[i].score(rank)));
            }
        }
    }

    /** Without vector instructions for bytes, or with another order of addition, all is done in floats. */
    private static void assumeScreened(int dimension) {
        float[][] few = random(ExactSearch.PASSAGES, dimension, 9);
        Path folder = Path.of(
                System.getProperty("java.io.tmpdir"),
                "screen-" + ProcessHandle.current().pid());
        Vectors vectors = FixedVectors.of(folder, few);
        assumeThat(search(vectors.first(5), vectors, 1, Screening.ALWAYS, 1, 1).shareScored())
                .as("share scored in floats")
                .isLessThan(1);
    }

    @ParameterizedTest
    @EnumSource(Trouble.class)
    void ranksAsFloatsDoToTheBit(Trouble trouble) {
        Vectors passages = vectors(trouble.apply(random(PASSAGES, DIMENSION, 1)));
        Vectors queries = vectors(random(QUERIES, DIMENSION, 2));
        Vectors troubled = vectors(trouble.apply(random(40, DIMENSION, 3)));
        for (int k : new int[] {1, 30}) {
            compared(queries, passages, k, 100);
            compared(queries, passages, k, 1);
        }
        compared(troubled, passages, 10, 100);
        compared(troubled, passages, 10, 1);
    }

    /** Dimensions around the blocks in which Gemm adds, and sizes around tiles. */
    @ParameterizedTest
    @CsvSource({
        "1, 1024, 3",
        "3, 1025, 256",
        "127, 2047, 257",
        "128, 2048, 1",
        "129, 2049, 7",
        "300, 3000, 8",
        "1024, 4100, 30"
    })
    void ranksAsFloatsDoWhateverTheSizes(int dimension, int passages, int queries) {
        compared(
                vectors(random(queries, dimension, 4)),
                vectors(random(passages, dimension, 5)),
                Math.min(20, passages),
                2);
    }

    @Test
    void scoresFewPairsInFloats() {
        assumeScreened(DIMENSION);
        double share = compared(vectors(random(QUERIES, DIMENSION, 2)), vectors(random(20_000, DIMENSION, 1)), 10, 100);
        // The best 10 are a share of 0.0005.
        assertThat(share).isBetween(0.0005, 0.005);
    }

    @Test
    void whatBytesDoNotTellApartIsScoredInFloats() {
        double share = compared(
                vectors(random(QUERIES, DIMENSION, 2)),
                vectors(Trouble.ALL_EQUAL.apply(random(PASSAGES, DIMENSION, 1))),
                10,
                100);
        assertThat(share).isEqualTo(1);
    }

    /** Whoever asks, and from however many threads; a wrong product stays refused. */
    @Test
    void aProcessChecksADimensionOnce() {
        AtomicInteger products = new AtomicInteger();
        ScreenCheck.FloatProduct wrong = (queries, passages, scores) -> products.incrementAndGet();
        AtomicInteger refused = new AtomicInteger();
        Parallel.forChunks(4, 8, 1, () -> (first, last) -> {
            if (ScreenCheck.open(17, wrong, first % 2 == 0) == null) {
                refused.incrementAndGet();
            }
        });
        assertThat(refused).hasValue(8);
        // None at all where the product of bytes is not exact: that is looked at first.
        assertThat(products.get()).isIn(0, 5);
    }

    @Test
    void fewPassagesAreNotScreened() {
        Vectors passages = vectors(random(2_000, 24, 1));
        assertThat(search(passages.first(9), passages, 5, Screening.WHERE_FASTER, 100, 1)
                        .shareScored())
                .isEqualTo(1);
    }

    /** A query that is not finite is refused as it is without a screen, and so is a passage. */
    @ParameterizedTest
    @CsvSource({"NaN", "Infinity", "3e38"})
    void aScoreThatIsNoNumberIsRefused(float broken) {
        float[][] queries = random(20, DIMENSION, 2);
        float[][] passages = random(PASSAGES, DIMENSION, 1);
        queries[7][3] = broken;
        queries[7][4] = broken;
        for (Screening screening : new Screening[] {Screening.NEVER, Screening.ALWAYS}) {
            assertThatThrownBy(() -> search(vectors(queries), vectors(passages), 3, screening, 100, 1))
                    .hasMessageContaining("a passage has the score");
        }
        passages[2_000][0] = broken;
        passages[2_000][1] = broken;
        Vectors sound = vectors(random(20, DIMENSION, 4));
        for (Screening screening : new Screening[] {Screening.NEVER, Screening.ALWAYS}) {
            assertThatThrownBy(() -> search(sound, vectors(passages), 3, screening, 100, 1))
                    .hasMessageContaining("a passage has the score");
        }
    }

    /** The product of rounded vectors and the bound around it, in doubles. */
    @ParameterizedTest
    @EnumSource(Trouble.class)
    void boundsHoldTheProduct(Trouble trouble) {
        float[][] left = trouble.apply(random(50, DIMENSION, 6));
        float[][] right = random(50, DIMENSION, 7);
        for (float[] q : left) {
            for (float[] p : right) {
                double exact = 0;
                double near = 0;
                float stepQ = ByteVectors.step(q);
                float stepP = ByteVectors.step(p);
                byte[] bytesQ = new byte[DIMENSION];
                byte[] bytesP = new byte[DIMENSION];
                ByteVectors.round(q, stepQ, bytesQ);
                ByteVectors.round(p, stepP, bytesP);
                for (int d = 0; d < DIMENSION; d++) {
                    exact += (double) q[d] * p[d];
                    near += (double) bytesQ[d] * bytesP[d];
                }
                near *= (double) stepQ * stepP;
                double keptP = ByteVectors.kept(bytesP, stepP);
                double lostP = ByteVectors.lost(p, bytesP, stepP);
                double keptQ = ByteVectors.kept(bytesQ, stepQ);
                double lostQ = ByteVectors.lost(q, bytesQ, stepQ);
                double bound = (keptQ + lostQ) * lostP + lostQ * keptP;
                assertThat(Math.abs(exact - near)).isLessThanOrEqualTo(bound * (1 + 1e-9));
                // Not so wide that nothing is gained: a vector keeps most of its length in 127 steps.
                assertThat(lostP).isLessThan(0.02 * keptP);
            }
        }
    }

    /** Sums of 128 products each, then their sum. */
    @Test
    void productsAreAddedInBlocksOf128() {
        float[] query = random(1, 300, 8)[0];
        float[][] rows = random(GemmProduct.ROWS, 300, 9);
        FloatBuffer vectors = FloatBuffer.allocate(GemmProduct.ROWS * 300);
        int[] starts = new int[GemmProduct.ROWS];
        for (int j = 0; j < rows.length; j++) {
            starts[j] = j * 300;
            vectors.put(rows[j]);
        }
        float[] products = new float[GemmProduct.ROWS];
        GemmProduct.multiply(query, vectors, starts, products);
        for (int j = 0; j < rows.length; j++) {
            float sum = chain(query, rows[j], 0, 128);
            sum += chain(query, rows[j], 128, 256);
            sum += chain(query, rows[j], 256, 300);
            assertThat(products[j]).isEqualTo(sum);
        }
    }

    private static float chain(float[] left, float[] right, int from, int to) {
        float sum = 0;
        for (int d = from; d < to; d++) {
            sum = Math.fma(left[d], right[d], sum);
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"1000, 10", "1000, 1000", "37, 1", "5, 6", "1, 1"})
    void atLeastSoManyReachTheBest(int size, int wanted) {
        float[] values = random(1, size, 10)[0];
        float least = new Candidates().best(values, size, wanted);
        long reach = 0;
        for (float value : values) {
            reach += value >= least ? 1 : 0;
        }
        assertThat(reach).isBetween((long) Math.min(size, wanted), (long) wanted + size / 16);
        float[] equal = new float[size];
        assertThat(new Candidates().best(equal, size, Math.min(size, wanted))).isZero();
    }
}

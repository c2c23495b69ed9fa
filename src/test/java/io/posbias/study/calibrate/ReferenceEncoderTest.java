package io.posbias.study.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.study.calibrate.ReferenceEncoder.ReferenceScore;
import io.posbias.study.calibrate.ReferenceEncoder.Shape;
import io.posbias.study.calibrate.ReferenceEncoder.Way;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferenceEncoderTest {
    private static final int WIDE = 4096;

    @TempDir
    Path temp;

    private List<float[]> encode(ReferenceScore score, double literalness, boolean padLeft, String... texts) {
        Path recipe = new ReferenceEncoder("r", Shape.FLAT, 0, score, literalness, WIDE, 3, 64, 0)
                .write(
                        temp.resolve("r" + score.brevity() + literalness + padLeft),
                        List.of("a1", "b1", "a2", "b2"),
                        word -> word.substring(0, 1));
        Fields fields = Json.readYaml(recipe);
        try (DenseEncoder encoder = new DenseEncoder(StandIns.dense(fields), StandIns.engine(temp, 1, 0))) {
            TextRows rows = encoder.rows(Role.PASSAGE);
            return encoder.vectors(Arrays.stream(texts).map(rows::row).toList(), Role.PASSAGE, padLeft);
        }
    }

    private static double product(float[] one, float[] other) {
        double sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += (double) one[i] * other[i];
        }
        return sum;
    }

    /** (n * n)^-b times n words in common, n = 1 and 4, padding at either side. */
    @Test
    void aProductIsTheSumTimesAPowerOfTheLength() {
        for (boolean padLeft : new boolean[] {false, true}) {
            List<float[]> half = encode(new ReferenceScore(Way.PRODUCT, 0.5), 1, padLeft, "a1", "a1 a1 a1 a1");
            assertThat(product(half.getFirst(), half.getFirst())).isCloseTo(1, within(1e-5));
            assertThat(product(half.getFirst(), half.getLast())).isCloseTo(4 / 2.0, within(1e-5));
            List<float[]> longer = encode(new ReferenceScore(Way.PRODUCT, -0.5), 1, padLeft, "a1", "a1 a1 a1 a1");
            assertThat(product(longer.getFirst(), longer.getLast())).isCloseTo(4 * 2.0, within(1e-4));
            List<float[]> none = encode(new ReferenceScore(Way.PRODUCT, 0), 1, padLeft, "a1", "b1 a1 b1 b1");
            assertThat(product(none.getFirst(), none.getLast())).isCloseTo(1, within(4 * 3 / Math.sqrt(WIDE)));
        }
    }

    @Test
    void namesOfAThingMatchByWhatIsNotLiteral() {
        for (double literalness : new double[] {0, 0.25, 0.5, 1}) {
            List<float[]> vectors = encode(new ReferenceScore(Way.PRODUCT, 0), literalness, false, "a1", "a2", "b1");
            double noise = 5 / Math.sqrt(WIDE);
            assertThat(product(vectors.getFirst(), vectors.getFirst())).isCloseTo(1, within(noise));
            assertThat(product(vectors.getFirst(), vectors.get(1))).isCloseTo(1 - literalness, within(noise));
            assertThat(product(vectors.getFirst(), vectors.get(2))).isCloseTo(0, within(noise));
        }
        List<float[]> same = encode(ReferenceScore.COSINE, 0, false, "a1", "a2");
        assertThat(same.getFirst()).containsExactly(same.getLast());
    }

    @Test
    void whatCannotBeIsRefused() {
        for (double literalness : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() ->
                            new ReferenceEncoder("r", Shape.FLAT, 0, ReferenceScore.COSINE, literalness, 8, 1, 64, 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new ReferenceEncoder(
                        "r", Shape.FLAT, 0, new ReferenceScore(Way.PRODUCT, Double.NaN), 1, 8, 1, 64, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

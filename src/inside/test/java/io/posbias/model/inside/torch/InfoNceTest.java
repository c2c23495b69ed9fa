package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Json;
import io.posbias.model.inside.TinyModels;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The loss and its gradients against scripts/tests/training_golden.py, which takes central differences of doubles. */
@Tag("slow")
class InfoNceTest {
    private static float[][] matrix(JsonNode rows) {
        float[][] matrix = new float[rows.size()][];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = new float[rows.path(i).size()];
            for (int k = 0; k < matrix[i].length; k++) {
                matrix[i][k] = (float) rows.path(i).path(k).asDouble();
            }
        }
        return matrix;
    }

    private static Pair pair(String name, String document, String... others) {
        return new Pair(name, "q" + name, "p" + name, "i" + name, document, Set.of(others), Pair.UNKNOWN);
    }

    private static void assertClose(float[][] found, JsonNode golden) {
        float[][] expected = matrix(golden);
        for (int i = 0; i < expected.length; i++) {
            for (int k = 0; k < expected[i].length; k++) {
                assertThat(found[i][k]).as("row %s, number %s", i, k).isCloseTo(expected[i][k], within(1e-5f));
            }
        }
    }

    @Test
    void lossAndGradientsAreNumpys() {
        JsonNode golden = Json.mapper().readTree(TinyModels.resource("training.json"));
        List<Pair> pairs = new ArrayList<>();
        golden.path("documents")
                .forEach(document -> pairs.add(pair(String.valueOf(pairs.size()), document.asString())));
        InfoNce loss = InfoNce.of(
                pairs,
                matrix(golden.path("queries")),
                matrix(golden.path("passages")),
                golden.path("scale").asDouble());
        assertThat(loss.loss()).isCloseTo(golden.path("loss").asDouble(), within(1e-6));
        assertClose(loss.toQueries(), golden.path("to_queries"));
        assertClose(loss.toPassages(), golden.path("to_passages"));
    }

    /** Two pairs: of each query the other passage is the one negative, or there is none and the loss is 0. */
    @Test
    void passagesOfTheSameDocumentTextQueryOrJudgementAreNoNegatives() {
        Pair one = pair("1", "d1");
        Pair sameText = new Pair("2", "q2", "p1", "i2", "d2", Set.of(), Pair.UNKNOWN);
        Pair sameQuery = new Pair("2", "q1", "p2", "i2", "d2", Set.of(), Pair.UNKNOWN);
        assertThat(loss(one, pair("2", "d2"))).isGreaterThan(0);
        assertThat(loss(one, pair("2", "d1"))).isZero();
        assertThat(loss(one, sameText)).isZero();
        assertThat(loss(one, sameQuery)).isZero();
        assertThat(loss(pair("1", "d1", "i2"), pair("2", "d2", "i1"))).isZero();
    }

    private static double loss(Pair... pairs) {
        float[][] vectors = {{1, 0}, {0.6f, 0.8f}};
        return InfoNce.of(List.of(pairs), vectors, vectors, 20).loss();
    }
}

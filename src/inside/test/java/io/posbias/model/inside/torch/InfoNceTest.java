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
        return new Pair(
                name,
                "q" + name,
                new Pair.Text("p" + name, "i" + name, document),
                Set.of(others),
                Pair.UNKNOWN);
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

    @Test
    void hardNegativesAreNumpys() {
        JsonNode golden = Json.mapper().readTree(TinyModels.resource("training.json"));
        JsonNode hard = golden.path("hard");
        List<Pair> pairs = new ArrayList<>();
        for (JsonNode document : golden.path("documents")) {
            List<Pair.Text> negatives = new ArrayList<>();
            for (int k = 0; k < hard.path("owners").size(); k++) {
                if (hard.path("owners").path(k).asInt() == pairs.size()) {
                    negatives.add(new Pair.Text(
                            "n" + k, "n" + k, hard.path("documents").path(k).asString()));
                }
            }
            Pair plain = pair(String.valueOf(pairs.size()), document.asString());
            pairs.add(new Pair(plain.id(), plain.query(), plain.passage(), Set.of(), Pair.UNKNOWN, negatives));
        }
        InfoNce loss = InfoNce.of(
                pairs,
                matrix(golden.path("queries")),
                matrix(hard.path("passages")),
                golden.path("scale").asDouble());
        assertThat(loss.loss()).isCloseTo(hard.path("loss").asDouble(), within(1e-6));
        assertClose(loss.toQueries(), hard.path("to_queries"));
        assertClose(loss.toPassages(), hard.path("to_passages"));
    }

    @Test
    void hardNegativesTakeTurns() {
        List<Pair.Text> negatives =
                List.of(Pair.Text.unnamed("a"), Pair.Text.unnamed("b"), Pair.Text.unnamed("c"));
        Pair pair = new Pair("1", "q", Pair.Text.unnamed("p"), Set.of(), Pair.UNKNOWN, negatives);
        assertThat(pair.inEpoch(0, 2).negatives()).isEqualTo(negatives.subList(0, 2));
        assertThat(pair.inEpoch(1, 2).negatives()).containsExactly(negatives.get(2), negatives.get(0));
        assertThat(pair.inEpoch(2, 2).negatives()).isEqualTo(negatives.subList(1, 3));
        assertThat(pair.inEpoch(1, 0).negatives()).isEmpty();
        assertThat(pair.inEpoch(1, 5).negatives()).isEqualTo(negatives);
    }

    /** Two pairs: of each query the other passage is the one negative, or there is none and the loss is 0. */
    @Test
    void passagesOfTheSameDocumentTextQueryOrJudgementAreNoNegatives() {
        Pair one = pair("1", "d1");
        Pair sameText = new Pair("2", "q2", new Pair.Text("p1", "i2", "d2"), Set.of(), Pair.UNKNOWN);
        Pair sameQuery = new Pair("2", "q1", new Pair.Text("p2", "i2", "d2"), Set.of(), Pair.UNKNOWN);
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

package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Json;
import io.posbias.base.stats.RandomEffects.Weights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/**
 * Against scipy, whose answers scripts/tests/random_effects_golden.py writes and checks against published ones: the BCG
 * vaccine (metafor's dat.bcg) and the eight schools (Rubin 1981).
 */
class RandomEffectsTest {
    private static double[] numbers(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    @TestFactory
    List<DynamicTest> equalsAnIndependentProgram() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode one :
                Json.mapper().readTree(Files.readString(Path.of("src/test/resources/random-effects.json")))) {
            for (Weights weights : Weights.values()) {
                tests.add(DynamicTest.dynamicTest(
                        one.get("name").asString() + ", " + weights, () -> equals(one, weights)));
            }
        }
        assertThat(tests).hasSize(14);
        return tests;
    }

    private static void equals(JsonNode all, Weights weights) {
        double[] effects = numbers(all.get("effects"));
        RandomEffects found = RandomEffects.of(effects, numbers(all.get("errors")), weights, 0.95);
        JsonNode one = weights == Weights.EQUAL ? all.get("equal") : all;
        near(one, "mean", found.mean().value());
        near(one, "standardError", found.standardError());
        near(one, "tau", found.tau());
        near(one, "share", found.share());
        near(one, "pValue", found.mean().pValue());
        near(one.get("interval"), found.mean().interval());
        assertThat(found.studies()).isEqualTo(effects.length);
        if (one.has("prediction")) {
            near(one.get("prediction"), Objects.requireNonNull(found.prediction()));
        } else {
            assertThat(found.prediction()).isNull();
        }
    }

    private static void near(JsonNode one, String name, double found) {
        assertThat(found).as(name).isCloseTo(one.get(name).asDouble(), within(1e-12));
    }

    private static void near(JsonNode expected, Interval found) {
        // Few degrees of freedom: quantiles of t agree to eight digits.
        assertThat(found.low()).isCloseTo(expected.get(0).asDouble(), within(1e-6));
        assertThat(found.high()).isCloseTo(expected.get(1).asDouble(), within(1e-6));
    }

    /** What the documentation of metafor prints of dat.bcg: tau^2 of Paule and Mandel. */
    @Test
    void thePublishedAnswer() throws IOException {
        JsonNode bcg = Json.mapper()
                .readTree(Files.readString(Path.of("src/test/resources/random-effects.json")))
                .get(0);
        RandomEffects found =
                RandomEffects.of(numbers(bcg.get("effects")), numbers(bcg.get("errors")), Weights.EQUAL, 0.95);
        assertThat(found.tau() * found.tau()).isCloseTo(0.3181, within(5e-5));
    }

    @Test
    void aStudyWithoutErrorIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RandomEffects.of(new double[] {1, 2}, new double[] {0, 1}, Weights.EQUAL, 0.95));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RandomEffects.of(new double[] {1}, new double[] {1}, Weights.EQUAL, 0.95));
    }
}

package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Against scipy, by scripts/tests/correlation_golden.py. */
class CorrelationDifferenceTest {
    private static final Bootstrap.Draws DRAWS = new Bootstrap.Draws(1000, 42, 0.95);

    private static double[] numbers(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    @Test
    void equalsAnIndependentProgram() throws IOException {
        JsonNode all =
                Json.mapper().readTree(Files.readString(Path.of("src/test/resources/correlation-differences.json")));
        assertThat(all).hasSize(3);
        for (JsonNode one : all) {
            CorrelationDifference found = CorrelationDifference.of(
                    numbers(one.get("x")), numbers(one.get("first")), numbers(one.get("second")), DRAWS);
            double[] own = {
                found.difference().value(),
                found.difference().interval().low(),
                found.difference().interval().high(),
                found.difference().pValue(),
                found.firstWithout(),
                found.secondWithout()
            };
            double[] expected = {
                one.get("difference").asDouble(),
                one.at("/interval/0").asDouble(),
                one.at("/interval/1").asDouble(),
                one.get("pValue").asDouble(),
                one.get("firstWithout").asDouble(),
                one.get("secondWithout").asDouble()
            };
            assertThat(own).as(one.get("name").asString()).containsExactly(expected, within(1e-12));
            assertThat(found.unit()).isEqualTo(one.get("unit").asInt());
        }
    }

    /** Beyond twelve units swaps are drawn: one list is x, the other is unrelated. */
    @Test
    void manyUnitsAreDrawn() {
        SplittableRandom random = new SplittableRandom(1);
        double[] x = random.doubles(40).toArray();
        double[] other = random.doubles(40).toArray();
        Estimate found = CorrelationDifference.of(x, x, other, DRAWS).difference();
        assertThat(found.pValue()).isLessThan(0.01);
        assertThat(found.interval().low()).isGreaterThan(0);
        assertThat(CorrelationDifference.of(x, other, other, DRAWS).difference().pValue())
                .isEqualTo(1);
    }

    @Test
    void aConstantListIsRefused() {
        double[] x = {1, 2, 3, 4};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CorrelationDifference.of(x, x, new double[] {1, 1, 1, 1}, DRAWS));
    }
}

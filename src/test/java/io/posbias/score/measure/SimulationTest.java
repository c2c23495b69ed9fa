package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Do intervals hold the truth as often as they say, and do tests err as seldom as they say? A few benchmarks here, in
 * seconds; all of them with {@code scripts/simulate}, whose table is in docs/adr/0033-statistics-of-units.md.
 */
class SimulationTest {
    private static final String FULL = "posbias.simulation";
    private static final int THREADS = Runtime.getRuntime().availableProcessors();

    @Tag("slow")
    @TestFactory
    List<DynamicTest> simulations() {
        if (System.getProperty(FULL) != null) {
            return List.of(DynamicTest.dynamicTest("all, into target/simulation-systems.md", SimulationTest::all));
        }
        return List.of(
                DynamicTest.dynamicTest("a flat system", SimulationTest::flat),
                DynamicTest.dynamicTest("a biased system", SimulationTest::biased));
    }

    private static void flat() {
        Simulation.Outcome flat = Simulation.flat(0.8, 6, 100).run(500, 200, 7, THREADS);
        // Bounds are the truth and three standard deviations of 500 benchmarks.
        assertThat(flat.permutationRejects()).isBetween(0.02, 0.08);
        assertThat(flat.randomisationRejects()).isBetween(0.02, 0.08);
        assertThat(flat.verdictSpeaks()).isLessThan(0.08);
        assertThat(flat.psiCovered()).isGreaterThan(0.92);
        assertThat(flat.bcaCovered()).isBetween(0.93, 0.97);
        assertThat(flat.tCovered()).isBetween(0.93, 0.97);
        assertThat(flat.slopeCovered()).isBetween(0.92, 0.98);
        assertThat(flat.differenceCovered()).isGreaterThan(0.92);
        assertThat(flat.corrected()).isLessThan(0.5 * flat.plain());
    }

    private static void biased() {
        Simulation.Outcome biased = Simulation.line(0.9, 0.6, 6, 200).run(400, 200, 8, THREADS);
        assertThat(biased.permutationRejects()).isEqualTo(1);
        assertThat(biased.verdictSpeaks()).isEqualTo(1);
        assertThat(biased.psiCovered()).isBetween(0.92, 0.98);
        assertThat(biased.slopeCovered()).isBetween(0.92, 0.98);
        assertThat(biased.differenceCovered()).isBetween(0.91, 0.99);
        assertThat(Math.abs(biased.corrected() - biased.truth())).isLessThan(0.01);
    }

    private static void all() throws IOException {
        int benchmarks = Integer.getInteger(FULL, 1000);
        StringBuilder table = new StringBuilder(Simulation.Outcome.HEADER);
        // One for each kind: with the same, all kinds of a size would share their luck.
        long seed = 42;
        for (int n : List.of(50, 300, 1500)) {
            for (Simulation simulation : List.of(
                    Simulation.flat(0.8, 3, n),
                    Simulation.flat(0.8, 6, n),
                    Simulation.flat(0.55, 20, n),
                    Simulation.line(0.82, 0.77, 6, n),
                    Simulation.line(0.9, 0.6, 6, n),
                    Simulation.line(0.7, 0.3, 20, n),
                    Simulation.dip(0.9, 0.8, 3, n),
                    Simulation.dip(0.8, 0.72, 6, n))) {
                String row = simulation.run(benchmarks, 500, seed++, THREADS).row();
                System.err.print(row);
                table.append(row);
            }
        }
        Files.writeString(Path.of("target/simulation-systems.md"), table);
    }
}

package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Are words said where nothing is, and do the parts' intervals hold? All cells with {@code scripts/simulate 1000 verdict}. */
class VerdictSimulationTest {
    private static final String FULL = "posbias.simulation";

    private static final List<String> NUMBERS = List.of(
            "stopped",
            "loss held",
            "position held",
            "not reading held",
            "position",
            "unread",
            "even",
            "open",
            "beside");

    /** Late questions that are half as easy: the verdict before the parts was unread in 62 to 68 %. */
    @Tag("slow")
    @Test
    @DisabledIfSystemProperty(named = FULL, matches = ".*")
    void harderLateQuestionsAreNoLoss() {
        ClusterSimulation.Tally tally = new VerdictSimulation(300, false, 0, 0, 0.5).tally(300, 7);
        assertThat(tally.share("unread")).isLessThan(0.06);
        assertThat(tally.share("position")).isLessThan(0.1);
        assertThat(tally.share("position held")).isBetween(0.9, 0.99);
        assertThat(tally.share("not reading held")).isBetween(0.9, 0.99);
        assertThat(tally.share("beside")).isLessThan(0.1);
    }

    @Tag("slow")
    @Test
    @DisabledIfSystemProperty(named = FULL, matches = ".*")
    void whatNotReadingCostsIsFound() {
        ClusterSimulation.Tally tally = new VerdictSimulation(300, false, 0.25, 0, 0).tally(200, 8);
        assertThat(tally.share("unread")).isGreaterThan(0.85);
        assertThat(tally.share("position")).isLessThan(0.1);
        assertThat(tally.share("not reading held")).isBetween(0.89, 1.0);
    }

    /** Questions are asked until the loss is known. */
    @Tag("slow")
    @Test
    @DisabledIfSystemProperty(named = FULL, matches = ".*")
    void stoppingByWidthKeepsTheLevel() {
        ClusterSimulation.Tally tally = new VerdictSimulation(600, false, 0, 0, 0, true).tally(300, 9);
        assertThat(tally.share("stopped")).isGreaterThan(0.5);
        assertThat(tally.share("loss held")).isBetween(0.91, 0.98);
        assertThat(tally.share("position")).isLessThan(0.1);
        assertThat(tally.share("unread")).isLessThan(0.06);
    }

    @Test
    @EnabledIfSystemProperty(named = FULL, matches = ".*")
    void verdict() throws IOException {
        int benchmarks = Integer.getInteger(FULL, 1000);
        List<VerdictSimulation> cells = new ArrayList<>();
        for (int questions : new int[] {80, 300, 1200}) {
            for (double cost : new double[] {0, 0.25}) {
                for (double position : new double[] {0, 0.02, 0.05, 0.1}) {
                    cells.add(new VerdictSimulation(questions, false, cost, position, 0));
                }
                cells.add(new VerdictSimulation(questions, true, cost, 0, 0));
            }
            for (double position : new double[] {0, 0.05}) {
                cells.add(new VerdictSimulation(questions, false, 0, position, 0, true));
                cells.add(new VerdictSimulation(questions, false, 0.25, position, 0, true));
            }
            for (double harder : new double[] {0.1, 0.25, 0.5}) {
                cells.add(new VerdictSimulation(questions, false, 0, 0, harder));
            }
        }
        String rows = IntStream.range(0, cells.size())
                .parallel()
                .mapToObj(cell -> row(cells.get(cell), benchmarks, 500 + cell))
                .collect(Collectors.joining());
        Files.writeString(
                Path.of("target/simulation-verdict.md"),
                "| questions | harder late, % | cost, % | position, % | " + String.join(" | ", NUMBERS)
                        + " |\n|:--|--:|--:|--:|" + "--:|".repeat(NUMBERS.size()) + "\n" + rows);
    }

    private static String row(VerdictSimulation cell, int benchmarks, long seed) {
        ClusterSimulation.Tally tally = cell.tally(benchmarks, seed);
        return cell + " "
                + NUMBERS.stream()
                        .map(number ->
                                tally.has(number) ? String.format(Locale.ROOT, "%.1f", 100 * tally.share(number)) : "-")
                        .collect(Collectors.joining(" | "))
                + " |\n";
    }
}

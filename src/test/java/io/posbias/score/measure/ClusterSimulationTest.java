package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.SharedData;
import io.posbias.base.json.Json;
import io.posbias.score.measure.ClusterSimulation.Dependence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Do intervals and tests hold where queries share passages? One layout here, in seconds; all of them with
 * {@code scripts/simulate}, whose tables are in docs/adr/0033-statistics-of-units.md.
 */
class ClusterSimulationTest {
    private static final String FULL = "posbias.simulation";
    private static final int THREADS = Runtime.getRuntime().availableProcessors();

    /** The hardest layout: without clusters the verdict differs in half of all cases (design page). */
    @Tag("slow")
    @Test
    @DisabledIfSystemProperty(named = FULL, matches = ".*")
    void questionsAtOnePlaceOfTheirPassage() {
        ClusterSimulation simulation = ClusterSimulation.together(Dependence.exchangeable(0.6));
        assertThat(simulation.scoreCorrelation(3)).isBetween(0.3, 0.7);
        ClusterSimulation.Tally tally = simulation.flat(250, 200, 11, THREADS);
        // Bounds are 5 % and 95 %, four standard errors wide.
        assertThat(tally.share("mean held")).isBetween(0.895, 1.0);
        assertThat(tally.share("bucket means held")).isBetween(0.92, 0.975);
        for (String test : List.of(
                "slope p < .05", "front - back p < .05", "PSI p < .05", "verdict differ", "PSI difference p < .05")) {
            assertThat(tally.share(test)).as(test).isBetween(0.0, 0.105);
        }
    }

    @Tag("slow")
    @Test
    @DisabledIfSystemProperty(named = FULL, matches = ".*")
    void theStatedNumberOfQueriesIsEnough() {
        ClusterSimulation.Tally tally =
                ClusterSimulation.spread(Dependence.exchangeable(0.3)).power(0.7, 0.08, 200, 200, 5, THREADS);
        assertThat(tally.share("PSI rejects")).isBetween(0.70, 0.90);
        assertThat(tally.share("front - back rejects")).isBetween(0.70, 0.90);
    }

    @Test
    @EnabledIfSystemProperty(named = FULL, matches = ".*")
    void all() throws IOException {
        int benchmarks = Integer.getInteger(FULL, 1000);
        StringBuilder flat = new StringBuilder();
        StringBuilder power = new StringBuilder();
        StringBuilder moved = new StringBuilder();
        long seed = 420;
        for (Dependence dependence : List.of(
                Dependence.NONE,
                Dependence.exchangeable(0.3),
                Dependence.exchangeable(0.6),
                new Dependence(0.6, 0.05),
                new Dependence(0.6, 0.3))) {
            for (ClusterSimulation simulation : layouts(dependence)) {
                row(flat, simulation, simulation.flat(benchmarks, 500, seed++, THREADS));
                row(power, simulation, simulation.sloped(0.5, 0.15, benchmarks, 500, seed++, THREADS));
            }
        }
        for (ClusterSimulation simulation : layouts(Dependence.exchangeable(0.3))) {
            row(moved, simulation, simulation.moved(benchmarks, 500, seed++, THREADS));
        }
        StringBuilder queries = new StringBuilder();
        for (ClusterSimulation simulation : real(Dependence.exchangeable(0.3))) {
            double fall = 0.06 + 0.02 * (seed % 3);
            row(queries, simulation, simulation.power(0.7, fall, Math.min(500, benchmarks), 500, seed++, THREADS));
        }
        Files.writeString(
                Path.of("target/simulation-clusters.md"), flat + "\n" + moved + "\n" + power + "\n" + queries);
    }

    private static void row(StringBuilder table, ClusterSimulation simulation, ClusterSimulation.Tally tally) {
        if (table.isEmpty()) {
            table.append(ClusterSimulation.Tally.header(tally));
        }
        table.append(tally.row(simulation));
        System.err.print(tally.row(simulation));
    }

    /** Those of real benchmarks, neighbours, and clusters of very unequal sizes. */
    private static List<ClusterSimulation> layouts(Dependence dependence) throws IOException {
        List<ClusterSimulation> layouts = new ArrayList<>(real(dependence));
        layouts.add(ClusterSimulation.neighbours(dependence));
        for (int clusters : new int[] {5, 10, 20, 40}) {
            layouts.add(ClusterSimulation.unequal(clusters, dependence));
        }
        return layouts;
    }

    private static List<ClusterSimulation> real(Dependence dependence) throws IOException {
        return List.of(
                real("XQuAD en", "squad-format/xquad.en.json", dependence),
                real("XQuAD zh", "squad-format/xquad.zh.json", dependence),
                real("COVID-QA", "squad-format/covidqa_200421.json", dependence));
    }

    private static ClusterSimulation real(String name, String file, Dependence dependence) throws IOException {
        List<Integer> passages = new ArrayList<>();
        List<Double> positions = new ArrayList<>();
        int passage = 0;
        for (var article :
                Json.mapper().readTree(Files.readString(SharedData.file(file))).get("data")) {
            for (var paragraph : article.get("paragraphs")) {
                double length = paragraph.get("context").asString().length();
                for (var question : paragraph.get("qas")) {
                    var answer = question.get("answers").get(0);
                    passages.add(passage);
                    positions.add(Math.min(
                            1,
                            (answer.get("answer_start").asInt()
                                            + answer.get("text").asString().length() / 2.0)
                                    / length));
                }
                passage++;
            }
        }
        return ClusterSimulation.of(
                name,
                passages.stream().mapToInt(i -> i).toArray(),
                positions.stream().mapToDouble(i -> i).toArray(),
                dependence);
    }
}

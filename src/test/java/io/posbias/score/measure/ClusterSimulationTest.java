package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.SharedData;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.ClusterSimulation.Dependence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Do intervals and tests hold where queries share passages? Two layouts here, in seconds; all of them with {@code
 * scripts/simulate}, whose tables are in docs/statistics.md and docs/adr/0033-statistics-of-units.md.
 */
class ClusterSimulationTest {
    private static final String FULL = "posbias.simulation";
    /** With so many draws tests of level 5 % reject in 4.98 %. */
    private static final int DRAWS = 240;

    private static final int THREADS = Runtime.getRuntime().availableProcessors();

    /** The hardest layout: without clusters the verdict differs in half of all cases (design page). */
    @Tag("slow")
    @Test
    @DisabledIfSystemProperty(named = FULL, matches = ".*")
    void questionsAtOnePlaceOfTheirPassage() {
        ClusterSimulation simulation = ClusterSimulation.together(Dependence.exchangeable(0.6));
        assertThat(simulation.scoreCorrelation(3)).isBetween(0.3, 0.7);
        ClusterSimulation.Tally tally = simulation.profiles(250, DRAWS, 11);
        // Bounds are 5 % and 95 %, four standard errors wide.
        assertThat(tally.share("mean")).isBetween(0.895, 1.0);
        assertThat(tally.share("mean of bucket means")).isBetween(0.895, 1.0);
        assertThat(tally.share("bucket means")).isBetween(0.92, 0.975);
        assertThat(tally.share(ClusterSimulation.PSI_HELD)).isBetween(0.895, 1.0);
        for (String test : List.of("slope p", "front - back p", "PSI p", "verdict differ", "difference of PSI p")) {
            assertThat(tally.share(test)).as(test).isBetween(0.0, 0.105);
        }
    }

    /** The claims of docs/statistics.md on places: the loss, W at a truth of 0, and no p of cPSI below a G* of 40. */
    @Tag("slow")
    @Test
    @DisabledIfSystemProperty(named = FULL, matches = ".*")
    void unequalClustersWithTheContentHeldFixed() {
        ClusterSimulation.Tally tally =
                ClusterSimulation.unequal(20, Dependence.NONE).places(false, 400, DRAWS, 12);
        assertThat(tally.share("loss p")).isBetween(0.005, 0.095);
        assertThat(tally.share("loss interval, truth .27")).isBetween(0.905, 0.995);
        assertThat(tally.share("W interval, truth 0")).isBetween(0.905, 1.0);
        assertThat(tally.has("cPSI p")).isFalse();
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

    /** Docs/statistics.md: more than one look, as simulated with independent queries. */
    @Tag("slow")
    @Test
    @DisabledIfSystemProperty(named = FULL, matches = ".*")
    void moreThanOneLookErrsMoreOften() {
        ClusterSimulation.Tally tally = ClusterSimulation.independent().looks(250, DRAWS, 13);
        // Of 250 benchmarks, four standard errors below the shares of the page.
        assertThat(tally.share("once")).isLessThan(0.105);
        assertThat(tally.share("six looks")).isGreaterThan(0.06);
        assertThat(tally.share("best of five subsamples")).isGreaterThan(0.06);
        assertThat(tally.share("second measure") - tally.share("once")).isBetween(0.0, 0.08);
    }

    /** Docs/ci.md: the power of a gate with seven numbers for a fall of two points in a bucket of 1,000 queries. */
    @Tag("slow")
    @Test
    @DisabledIfSystemProperty(named = FULL, matches = ".*")
    void theChangeThatAGateFindsDependsOnHowAlikeVersionsAre() {
        assertThat(gatePower(0.95)).isBetween(0.72, 0.86);
        assertThat(gatePower(0.6)).isBetween(0.02, 0.13);
    }

    /** Versions whose scores have a standard deviation of 0.43 and a correlation. */
    private static double gatePower(double correlation) {
        SplittableRandom random = new SplittableRandom(14);
        QueryBuckets placement = QueryBuckets.of(
                IntStream.range(0, 1000)
                        .mapToObj(query -> new Query("q" + query, "?", null))
                        .toList(),
                Bucketing.NONE);
        Comparer comparer = new Comparer(Settings.USUAL.withDraws(0).withConfidence(1 - 0.05 / 7), 1);
        int fails = 0;
        for (int run = 0; run < 400; run++) {
            double[] before = new double[1000];
            double[] after = new double[1000];
            for (int query = 0; query < before.length; query++) {
                double own = random.nextGaussian();
                before[query] = 0.5 + 0.43 * own;
                after[query] = 0.48
                        + 0.43 * (correlation * own + Math.sqrt(1 - correlation * correlation) * random.nextGaussian());
            }
            Comparison found = Objects.requireNonNull(comparer.compare("nDCG@10", "all", before, after, placement));
            fails += found.difference().interval().high() < -0.005 ? 1 : 0;
        }
        return fails / 400.0;
    }

    /** A layout with a dependence, and the shares that were counted. */
    private record Cell(String layout, String dependence, ClusterSimulation.Tally tally) {}

    @Test
    @EnabledIfSystemProperty(named = FULL, matches = ".*")
    void sizes() throws IOException {
        int benchmarks = Integer.getInteger(FULL, 1000);
        List<Supplier<Cell>> kinds = new ArrayList<>();
        List<Dependence> dependences = List.of(
                Dependence.NONE,
                Dependence.exchangeable(0.5),
                Dependence.local(0.6, 0.05),
                Dependence.local(0.6, 0.3),
                Dependence.TREND);
        for (Dependence dependence : dependences) {
            for (ClusterSimulation simulation : columns(dependence)) {
                long seed = 49L + kinds.size();
                kinds.add(() ->
                        new Cell(simulation.name(), dependence.name(), simulation.profiles(benchmarks, DRAWS, seed)));
            }
        }
        for (boolean trend : new boolean[] {false, true}) {
            for (ClusterSimulation simulation : columns(trend ? Dependence.TREND : Dependence.NONE)) {
                long seed = 49L + kinds.size();
                kinds.add(() -> new Cell(
                        simulation.name(),
                        trend ? "trend" : "level",
                        simulation.places(trend, benchmarks, DRAWS, seed)));
            }
        }
        List<Cell> cells = kinds.parallelStream()
                .map(Supplier::get)
                .peek(cell -> System.err.println(cell.layout() + ", " + cell.dependence() + ": " + cell.tally()))
                .toList();
        ClusterSimulation.Tally looks = ClusterSimulation.independent().looks(benchmarks, DRAWS, 49);
        Files.writeString(
                Path.of("target/simulation-sizes.md"),
                table(cells) + "\n" + outside(cells) + "\nverdict differ: " + looks + "\n");
    }

    /** XQuAD's and COVID-QA's passages, neighbours, and unequal clusters; queries of their own passage once. */
    private static List<ClusterSimulation> columns(Dependence dependence) throws IOException {
        List<ClusterSimulation> columns = new ArrayList<>();
        if (dependence.equals(Dependence.NONE) || dependence.equals(Dependence.TREND)) {
            columns.add(ClusterSimulation.independent());
        }
        columns.addAll(List.of(real(dependence).getFirst(), real(dependence).getLast()));
        columns.add(ClusterSimulation.neighbours(dependence));
        for (int clusters : new int[] {40, 20, 10, 5}) {
            columns.add(ClusterSimulation.unequal(clusters, dependence));
        }
        return columns;
    }

    /** A row for each number, a column for each layout: the smallest and the largest share over dependences. */
    private static String table(List<Cell> cells) {
        Map<String, List<Cell>> layouts =
                cells.stream().collect(Collectors.groupingBy(Cell::layout, LinkedHashMap::new, Collectors.toList()));
        StringBuilder table = new StringBuilder("| number | " + String.join(" | ", layouts.keySet()) + " |\n| --- |"
                + " --- |".repeat(layouts.size()) + "\n");
        for (String number : numbers(cells)) {
            table.append("| ").append(number);
            layouts.values().forEach(own -> table.append(" | ").append(range(own, number)));
            table.append(" |\n");
        }
        return table.toString();
    }

    private static Set<String> numbers(List<Cell> cells) {
        return cells.stream()
                .flatMap(cell -> cell.tally().numbers().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static String range(List<Cell> cells, String number) {
        DoubleSummaryStatistics shares = cells.stream()
                .filter(cell -> cell.tally().has(number))
                .mapToDouble(cell -> 100 * cell.tally().share(number))
                .summaryStatistics();
        String least = String.format(Locale.ROOT, "%.1f", shares.getMin());
        String most = String.format(Locale.ROOT, "%.1f", shares.getMax());
        return shares.getCount() == 0 ? "-" : least.equals(most) ? least : least + "-" + most;
    }

    /** Cells outside of 3 to 7.5 or 92 to 98 per cent, with their dependence. */
    private static String outside(List<Cell> cells) {
        StringBuilder lines = new StringBuilder();
        for (String number : numbers(cells)) {
            for (Cell cell : cells) {
                double share = cell.tally().has(number) ? cell.tally().share(number) : Double.NaN;
                if (share < 0.03 || (share > 0.075 && share < 0.92) || share > 0.98) {
                    lines.append(String.format(
                            Locale.ROOT, "%s, %s, %s: %.1f%n", number, cell.layout(), cell.dependence(), 100 * share));
                }
            }
        }
        return lines.toString();
    }

    @Test
    @EnabledIfSystemProperty(named = FULL, matches = ".*")
    void power() throws IOException {
        int benchmarks = Integer.getInteger(FULL, 1000);
        StringBuilder power = new StringBuilder();
        long seed = 420;
        for (Dependence dependence : List.of(Dependence.NONE, Dependence.exchangeable(0.3))) {
            for (ClusterSimulation simulation : layouts(dependence)) {
                row(power, simulation, simulation.sloped(0.5, 0.15, benchmarks, 500, seed++, THREADS));
            }
        }
        StringBuilder queries = new StringBuilder();
        for (ClusterSimulation simulation : real(Dependence.exchangeable(0.3))) {
            double fall = 0.06 + 0.02 * (seed % 3);
            row(queries, simulation, simulation.power(0.7, fall, Math.min(500, benchmarks), 500, seed++, THREADS));
        }
        Files.writeString(Path.of("target/simulation-power.md"), power + "\n" + queries);
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

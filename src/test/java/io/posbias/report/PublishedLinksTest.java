package io.posbias.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.table.Table;
import io.posbias.report.leaderboard.Layout;
import io.posbias.report.leaderboard.Leaderboard;
import io.posbias.score.result.Result;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PublishedLinksTest {
    /** Papers whose models have no recipes: the weights that they fine-tuned were not found. */
    private static final String WITHOUT_WEIGHTS = "training";

    /** Behind the names of published rows. */
    private static final String MARK = " (published)";

    /** A layout of each paper; published results of a paper are those of its layouts. */
    private static final Map<String, String> LAYOUTS = Map.of(
            "posq",
            "table1",
            "posir",
            "posir-table2",
            WITHOUT_WEIGHTS,
            "training-table1",
            "colder",
            "colder-retrieval");

    private static Map<String, Fields> recipes() {
        return Configs.names("configs/models").stream().collect(Collectors.toMap(name -> name, name -> {
            String file = "configs/models/" + name + ".yaml";
            return Json.parseYaml(Path.of(file), Configs.read(file));
        }));
    }

    static Set<String> papers() {
        return LAYOUTS.keySet();
    }

    private static List<Result> results(String paper) {
        return Layout.find(Objects.requireNonNull(LAYOUTS.get(paper))).published(List.of());
    }

    private static Set<String> printed(String paper) {
        return results(paper).stream().map(Result::model).collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @MethodSource("papers")
    void everyPrintedModelHasARecipeAndEveryLinkAModel(String paper) {
        Set<String> linked = new TreeSet<>();
        recipes().values().stream()
                .map(recipe -> recipe.record("published-as"))
                .filter(link -> link.has(paper))
                .forEach(link -> linked.add(link.text(paper)));
        assertThat(linked).isEqualTo(WITHOUT_WEIGHTS.equals(paper) ? Set.of() : printed(paper));
    }

    /** Of recipes that differ in length or access alone, one is compared with the row. */
    @Test
    void aPrintedModelHasOneRecipe() {
        List<String> links = recipes().values().stream()
                .map(recipe -> recipe.record("published-as"))
                .flatMap(link -> link.names().stream().map(paper -> paper + " " + link.text(paper)))
                .toList();
        assertThat(links).doesNotHaveDuplicates();
    }

    /** The training study prints 73.5, 75.4 and 55.8 % for its Table 3. */
    @Test
    void reductionsOfPsiAreTheTrainingPapers() {
        Table table = Layout.find("training-table3")
                .table(new Leaderboard(Layout.find("training-table3").published(List.of()), "nDCG@10", false, 2));
        assertThat(table.notes().getLast())
                .contains("ModernBERT-base 73.5%", "ModernBERT-large 75.4%", "Qwen3-0.6B 55.8%");
    }

    @Test
    void linksNameKnownPapers() {
        recipes()
                .forEach((name, recipe) -> assertThat(papers())
                        .as(name)
                        .containsAll(recipe.record("published-as").names()));
    }

    /** Table 4 is the mean of Table 14 over eight models, and its last row the mean over benchmarks; both have three digits. */
    @Test
    void theTrainingPapersTable4ComesOutOfItsTable14() {
        Table table = Layout.find("training-table2")
                .table(new Leaderboard(Layout.find("training-table2").published(List.of()), "nDCG@10", false, 2));
        assertThat(table.header()).containsExactly("model", "scifact", "hotpotqa", "fever", "climate-fever", "average");
        Map<String, List<Double>> rows = table.rows().stream()
                .filter(row -> row.cells().size() == 6)
                .collect(Collectors.toMap(
                        row -> row.cells().getFirst(),
                        row -> row.cells().stream().skip(1).map(Double::valueOf).toList()));
        assertThat(rows).hasSize((8 + 1) * 4);
        Map<String, Double> averages = Map.of("MB", 33.3, "MM", 21.2, "ME", 19.3, "MU", 29.7);
        averages.forEach((set, average) -> {
            assertThat(rows).containsKey("mean of 8 models " + set + MARK);
            List<Double> printed = Objects.requireNonNull(rows.get("mean of 8 models " + set + MARK));
            assertThat(printed.getLast()).isCloseTo(average, within(0.06));
            for (int i = 0; i < printed.size(); i++) {
                int benchmark = i;
                double mean = rows.entrySet().stream()
                        .filter(row -> row.getKey().endsWith(" " + set + MARK)
                                && !row.getKey().startsWith("mean"))
                        .mapToDouble(row -> row.getValue().get(benchmark))
                        .average()
                        .orElseThrow();
                assertThat(printed.get(i)).as(set + " " + i).isCloseTo(mean, within(0.11));
            }
        });
    }

    @Test
    void thePapersHaveAsManyModelsAsTheyPrint() {
        assertThat(printed("posq")).hasSize(20);
        assertThat(printed("posir")).hasSize(10);
        // Eight models trained four times, and what Table 2 averages over all of them.
        assertThat(printed("training")).hasSize((8 + 1) * 4);
        assertThat(results("training")).hasSize((11 + 4 * (8 + 1) + 3) * 4);
        assertThat(printed("colder")).hasSize(6);
        assertThat(results("colder")).hasSize(2 * 6);
    }
}

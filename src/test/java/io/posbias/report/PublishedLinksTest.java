package io.posbias.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.report.leaderboard.Layout;
import io.posbias.report.leaderboard.Leaderboard;
import io.posbias.report.leaderboard.Paper;
import io.posbias.result.Result;
import io.posbias.table.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PublishedLinksTest {
    /** Papers whose models have no recipes: the weights that they fine-tuned were not found. */
    private static final Set<Paper> WITHOUT_WEIGHTS = Set.of(Paper.TRAINING);

    private static Map<String, Fields> recipes() {
        return Configs.names("configs/models").stream().collect(Collectors.toMap(name -> name, name -> {
            String file = "configs/models/" + name + ".yaml";
            return Json.parseYaml(Path.of(file), Configs.read(file));
        }));
    }

    private static Set<String> printed(Paper paper) {
        return paper.results().stream().map(Result::model).collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @EnumSource(Paper.class)
    void everyPrintedModelHasARecipeAndEveryLinkAModel(Paper paper) {
        Set<String> linked = new TreeSet<>();
        recipes().values().stream()
                .map(recipe -> recipe.record("published-as"))
                .filter(link -> link.has(paper.toString()))
                .forEach(link -> linked.add(link.text(paper.toString())));
        assertThat(linked).isEqualTo(WITHOUT_WEIGHTS.contains(paper) ? Set.of() : printed(paper));
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
        Table table = Layout.TRAINING_TABLE3.table(
                new Leaderboard(Layout.TRAINING_TABLE3.published(List.of()), "nDCG@10", false, 2));
        assertThat(table.notes().getLast())
                .contains("ModernBERT-base 73.5%", "ModernBERT-large 75.4%", "Qwen3-0.6B 55.8%");
    }

    @Test
    void linksNameKnownPapers() {
        List<String> papers = new ArrayList<>();
        for (Paper paper : Paper.values()) {
            papers.add(paper.toString());
        }
        recipes()
                .forEach((name, recipe) -> assertThat(papers)
                        .as(name)
                        .containsAll(recipe.record("published-as").names()));
    }

    /** The last row of Table 2, which the layout calculates again; the paper rounds to three digits. */
    @Test
    void theAveragesOfTheTrainingPapersTable2AreItsOwn() {
        Table table = Layout.TRAINING_TABLE2.table(
                new Leaderboard(Layout.TRAINING_TABLE2.published(List.of()), "nDCG@10", false, 2));
        assertThat(table.header()).containsExactly("model", "scifact", "hotpotqa", "fever", "climate-fever", "average");
        List<Double> averages = table.rows().stream()
                .filter(row -> row.cells().size() == 6)
                .map(row -> Double.valueOf(row.cells().getLast()))
                .toList();
        // MB, MM, ME, MU.
        List<Double> expected = List.of(33.3, 21.2, 19.3, 29.7);
        assertThat(averages).hasSize(4);
        for (int i = 0; i < 4; i++) {
            assertThat(averages.get(i)).isCloseTo(expected.get(i), within(0.06));
        }
    }

    @Test
    void thePapersHaveAsManyModelsAsTheyPrint() {
        assertThat(printed(Paper.POSQ)).hasSize(20);
        assertThat(printed(Paper.POSIR)).hasSize(10);
        // Eight models trained four times, and what Table 2 averages over all of them.
        assertThat(printed(Paper.TRAINING)).hasSize((8 + 1) * 4);
        assertThat(Paper.TRAINING.results()).hasSize((11 + 4 + 3) * 4);
        assertThat(printed(Paper.COLDER)).hasSize(6);
        assertThat(Paper.COLDER.results()).hasSize(2 * 6);
    }
}

package io.posbias.report.leaderboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Sessions;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelFinder;
import io.posbias.run.experiment.Experiment;
import io.posbias.score.result.Result;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PublishedRowsTest {
    private static final String NO_WEIGHTS = "the fine-tuned weights were not found";

    /** Layouts whose rows no experiment can produce. */
    private static final Map<String, String> WITHOUT_EXPERIMENT = Map.of(
            "training-table1", NO_WEIGHTS,
            "training-table2", NO_WEIGHTS,
            "training-table3", NO_WEIGHTS,
            "colder-retrieval", "redocred is built from a file of the user's, so the catalogue has no such name");

    @TempDir
    Path temp;

    private static String row(String model, String dataset) {
        return model + " on " + dataset;
    }

    /** Rows of a layout beside the published ones, under the names that the paper prints. */
    private Set<String> produced(Layout layout) {
        ModelFinder finder = new ModelFinder(Sessions.in(temp));
        Set<String> rows = new HashSet<>();
        for (String name : Experiment.builtIn()) {
            Experiment experiment = Experiment.find(name);
            if (experiment.tables().stream()
                    .noneMatch(table -> table.layout().toString().equals(layout.toString()) && table.published())) {
                continue;
            }
            for (Experiment.ExperimentGroup group : experiment.groups()) {
                assertThat(group.settings().measures())
                        .extracting(Object::toString)
                        .as(name)
                        .contains(layout.publishedMeasure());
                List<String> datasets = experiment.pools().isEmpty() ? group.datasets() : experiment.pools();
                for (Recipe recipe : group.recipes(finder)) {
                    recipe.settings()
                            .record("published-as")
                            .toMap()
                            .values()
                            .forEach(printed ->
                                    datasets.forEach(dataset -> rows.add(row(String.valueOf(printed), dataset))));
                }
            }
        }
        return rows;
    }

    /** The layouts with as many digits as papers print. */
    static List<Layout> layouts() {
        return Layout.all().stream().filter(layout -> layout.digits() > 1).toList();
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void everyPublishedRowIsOfACellOfItsExperiment(Layout layout) {
        List<String> published = layout.published(List.of()).stream()
                .filter(layout::shows)
                .map((Result result) -> row(result.model(), result.dataset()))
                .toList();
        assertThat(published).isNotEmpty();
        Set<String> produced = produced(layout);
        if (WITHOUT_EXPERIMENT.containsKey(layout.toString())) {
            assertThat(produced).as(WITHOUT_EXPERIMENT.get(layout.toString())).isEmpty();
        } else {
            assertThat(produced).containsExactlyInAnyOrderElementsOf(published);
        }
    }
}

package io.posbias.run.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.data.convert.Catalog;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.Engine;
import io.posbias.run.Cells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardTest {
    @TempDir
    Path temp;

    private ExperimentCells cells(String experiment) {
        Engine engine = Engine.quiet(1, Sessions.in(temp));
        return ExperimentCells.of(
                Experiment.find(experiment), new Datasets(engine.session()), engine, false, experiment);
    }

    private List<List<String>> shares(ExperimentCells cells, int of) {
        return Shard.all(cells, of, temp).stream()
                .map(share -> share.list().stream().map(Cells.Job::name).toList())
                .toList();
    }

    @Test
    void everyCellOfPosirIsInOneShareAndItsCorpusIsEncodedInOne() {
        ExperimentCells cells = cells("posir-table10");
        assertThat(cells.list()).hasSize(10 * (310 + 248));
        List<List<String>> shares = shares(cells, 64);
        assertThat(shares.stream().flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(
                        cells.list().stream().map(Cells.Job::name).toList());
        Map<String, Integer> home = new HashMap<>();
        for (int share = 0; share < shares.size(); share++) {
            for (String name : shares.get(share)) {
                String corpus = name.replaceFirst("posir/....?-....-eng-Latn/", "posir/eng-Latn/");
                assertThat(home.computeIfAbsent(corpus, unseen -> -1)).isIn(-1, share);
                home.put(corpus, share);
            }
        }
    }

    /** 64 shares of 3,100 corpora by 10 models: none above the mean by more than a corpus of the biggest model. */
    @Test
    void sharesCostAboutTheSame() {
        ExperimentCells cells = cells("posir-table10");
        CellCosts costs = new CellCosts(temp);
        Catalog catalog = Catalog.read();
        double largest = 0;
        double sum = 0;
        for (ExperimentCells share : Shard.all(cells, 64, temp)) {
            Map<String, Double> corpora = new HashMap<>();
            double own = 0;
            for (Cells.Job cell : share.list()) {
                CellCost cost = costs.of(cell.recipe(), BenchmarkSize.of(cell.source(), catalog));
                corpora.put(cell.recipe().name() + cost.corpus(), cost.shared());
                own += cost.own();
            }
            double load = own
                    + corpora.values().stream().mapToDouble(Double::doubleValue).sum();
            largest = Math.max(largest, load);
            sum += load;
        }
        assertThat(largest / (sum / 64)).isBetween(1.0, 1.05);
    }

    /** By hand: an eighth of the parameters costs an eighth; the dearest first, each to the share that has least. */
    @Test
    void theDearestGoFirstToTheShareThatHasLeast() throws IOException {
        StringBuilder models = new StringBuilder();
        int[] sizes = {7, 5, 4, 3, 2};
        for (int size : sizes) {
            Files.writeString(temp.resolve("m" + size + ".yaml"), """
                    name: m%d
                    kind: dense
                    source: {hub: some/model}
                    onnx: {float32: model.onnx}
                    max-tokens: 64
                    pooling: mean
                    dimension: 8
                    size: {parameters: %d000000, embeddings: 0, layers: 1, width: 1}
                    """.formatted(size, size));
            models.append(models.isEmpty() ? "" : ", ").append("m").append(size).append(".yaml");
        }
        Path yaml = Files.writeString(
                temp.resolve("mine.yaml"), "name: mine\nmodels: [" + models + "]\ndatasets: [demo]\n");
        // 7 | 5, then 4 to the 5, 3 to the 7, 2 to the 9 of 5 + 4.
        assertThat(shares(cells(yaml.toString()), 2))
                .containsExactly(
                        List.of("m7 on demo", "m3 on demo"), List.of("m5 on demo", "m4 on demo", "m2 on demo"));
        assertThat(shares(cells(yaml.toString()), 7).subList(5, 7)).allMatch(List::isEmpty);
        assertThat(new Shard(2, 2).share(cells(yaml.toString()), temp).list())
                .extracting(Cells.Job::name)
                .containsExactly("m5 on demo", "m4 on demo", "m2 on demo");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0/4", "5/4", "1", "1/0", "-1/4", "a/b", "1/4/4", ""})
    void whatIsNoShareIsRefused(String words) {
        assertThatThrownBy(() -> Shard.parse(words))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("--shard", "1/16 to 16/16", "\"" + words + "\"");
    }
}

package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.worker.RecordedWorker;
import io.posbias.model.inside.TinyModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Several benchmarks in one diagnosis: equal identifiers in both, six queries in the first and three in the second. */
class DiagnosePoolTest {
    @TempDir
    Path temp;

    private String both = "";

    @BeforeEach
    void twoBenchmarks() throws IOException {
        both = benchmark("one", "en", 6) + "," + benchmark("two", "en", 3);
    }

    private Path benchmark(String name, String language, int queries) throws IOException {
        Path folder = Files.createDirectories(temp.resolve(name));
        Files.writeString(folder.resolve("dataset.yaml"), "name: " + name + "\nlanguage: " + language + "\n");
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            for (int i = 0; i < queries; i++) {
                String word = name + "word" + i;
                String text = "Cats purr softly. " + word + " barks. Cows moo aloud. Owls hoot there. Stones lie.";
                int start = i % 2 == 0 ? text.indexOf(word) : text.indexOf("Stones");
                String asked = i % 2 == 0 ? word : "stones";
                out.passage(new Passage("p" + i, "", text));
                out.query(new Query(
                        "q" + i, asked, new Evidence(start, start + 6, text.length(), 100 + i, List.of(), null)));
                out.judgment("q" + i, "p" + i, 1);
            }
        }
        return folder;
    }

    private Fields pooled(String diagnosis) {
        Path out = temp.resolve(diagnosis);
        Cli.Ended ended = Cli.run("diagnose", diagnosis, "--model bm25 --dataset", both, "--out", out)
                .ok();
        assertThat(ended.out()).contains("queries of each dataset: one 6, two 3");
        Fields result = Json.readJson(out.resolve("bm25/result.json"));
        assertThat(result.text("dataset")).isEqualTo("one,two");
        assertThat(result.record("pooled").integer("one")).isEqualTo(6);
        assertThat(result.record("pooled").integer("two")).isEqualTo(3);
        assertThat(result.record("dataset_sha256").names()).contains("one/corpus.jsonl", "two/qrels/test.tsv");
        return result;
    }

    private List<String> scores(String diagnosis) throws IOException {
        return Files.readAllLines(temp.resolve(diagnosis + "/bm25/scores.csv"));
    }

    @Test
    void movingAndSaliencyTakeAllQueries() throws IOException {
        assertThat(pooled("moving").record("moving").integer("queries")).isEqualTo(9);
        assertThat(scores("moving").get(1)).startsWith("moving,one:q0,");
        assertThat(scores("moving").getLast()).startsWith("moving,two:q2,");
        Cli.Ended saliency = Cli.run(
                        "diagnose saliency --model bm25 --dataset", both, "--window 2 --out", temp.resolve("saliency"))
                .ok();
        assertThat(saliency.out()).contains("queries of each dataset: one 6, two 3");
    }

    @Test
    void scoresByPlaceOfAnEarlierRunAreOfItsQueries() throws IOException {
        Object[] command = {
            "diagnose position --model bm25 --draws 20 --places 7 --dataset", both, "--out", temp.resolve("position")
        };
        Cli.run(command).ok();
        assertThat(Cli.run(command).ok().err()).contains("bm25: scored before");
        Path file = temp.resolve("position/bm25/scores.csv");
        List<String> lines = Files.readAllLines(file);
        Files.write(file, lines.subList(0, lines.size() - 7));
        Cli.Ended cut = Cli.run(command);
        assertThat(cut.code()).isOne();
        assertThat(cut.err().lines().toList().getLast())
                .startsWith("posbias: " + file)
                .contains("--overwrite");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void gradientsAreOfTheChosenPairsOfBoth() throws IOException {
        Path out = temp.resolve("gradient");
        Path model = TinyModels.writeBert(temp.resolve("model"), StandIns.WORDS);
        Cli.Ended ended = new Posbias(temp, RecordedWorker.environment(temp, "gradients-pool"))
                .run(
                        "diagnose saliency --method gradient --min-words 5 --min-tokens 101 --evidence-between 0.8,1",
                        "--model",
                        model,
                        "--dataset",
                        both,
                        "--out",
                        out)
                .ok();
        assertThat(ended.out()).contains("queries of each dataset: one 3, two 1");
        assertThat(Files.readAllLines(out.resolve("tiny-bert/scores.csv")).stream()
                        .skip(1)
                        .map(line -> line.substring(0, line.indexOf(',')))
                        .distinct())
                .containsExactly("one:q1", "one:q3", "one:q5", "two:q1");
    }

    /** Each benchmark is searched alone: pooled, every word of "two" would be found among nine passages, not three. */
    @Test
    void reversalSearchesEachBenchmarkAlone() throws IOException {
        Fields all = pooled("reversal");
        assertThat(all.integer("queries")).isEqualTo(9);
        assertThat(all.integer("passages")).isEqualTo(9);
        Cli.run("diagnose reversal --model bm25 --dataset", temp.resolve("two"), "--out", temp.resolve("alone"));
        List<String> alone = Files.readAllLines(temp.resolve("alone/bm25/scores.csv"));
        List<String> last = scores("reversal").subList(7, 10);
        assertThat(last)
                .containsExactlyElementsOf(
                        alone.stream().skip(1).map(line -> "two:" + line).toList());
    }

    @Test
    void languagesAndTwinsAreNotMixed() throws IOException {
        String mixed = both + "," + benchmark("trois", "fr", 2);
        Cli.run("diagnose moving --model bm25 --dataset", mixed).fails(2, "one is in en", "trois in fr");
        Cli.run("diagnose reversal --model bm25 --dataset", both + "," + temp.resolve("one"))
                .fails(2, "--dataset", "two datasets called one");
    }
}

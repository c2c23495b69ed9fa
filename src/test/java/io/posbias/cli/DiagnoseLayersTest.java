package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.TinyBenchmark;
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

/** Layers of a tiny model of two layers, from recorded answers of the worker; its vectors: scripts/peers/inside.py. */
@DisabledOnOs(OS.WINDOWS)
class DiagnoseLayersTest {
    @TempDir
    Path temp;

    private Path data = Path.of("");
    private Path model = Path.of("");

    @BeforeEach
    void write() throws IOException {
        model = TinyModels.writeBert(temp.resolve("model"), StandIns.WORDS);
        data = TinyBenchmark.in(temp.resolve("data"))
                .write("dataset.yaml", "name: letters\n")
                .write(
                        "corpus.jsonl",
                        TinyBenchmark.row("long", "a b c d e f g h a c", "")
                                + TinyBenchmark.row("other", "h g f e d c b", "")
                                + TinyBenchmark.row("short", "a b c d", ""))
                .write("queries.jsonl", TinyBenchmark.row("q", "a b", ", \"pos_char_span\": [0, 3]"))
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tlong\t1\n")
                .folder();
    }

    private Cli.Ended run(Path benchmark, Object... more) throws IOException {
        return new Posbias(temp, RecordedWorker.environment(temp, "layers"))
                .run(
                        "diagnose segments --layers --controls 2 --min-words 2 --model",
                        model,
                        "--dataset",
                        benchmark,
                        more);
    }

    @Test
    void meansAreThoseOfTheScores() throws IOException {
        Path out = temp.resolve("out");
        Cli.Ended ended =
                run(data, "--out", out, "--plots", temp.resolve("pictures")).ok();
        assertThat(ended.out()).contains("n = 2", "1 text with fewer than five tokens");
        assertThat(temp.resolve("pictures/layers.png")).isNotEmptyFile();
        List<String[]> rows = Files.readAllLines(out.resolve("tiny-bert/scores.csv")).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
        // Two texts, three networks, three layers, five fifths.
        assertThat(rows).hasSize(2 * 3 * 3 * 5);
        Fields dataset = Json.readJson(out.resolve("tiny-bert/result.json"))
                .records("datasets")
                .getFirst();
        assertThat(dataset.integer("left")).isEqualTo(1);
        Fields last = dataset.records("layers").getLast();
        assertThat(last.integer("layer")).isEqualTo(2);
        double trained = mean(rows, 0, 1) - mean(rows, 0, 5);
        double control = (mean(rows, 1, 1) + mean(rows, 2, 1) - mean(rows, 1, 5) - mean(rows, 2, 5)) / 2;
        assertThat(last.record("trained").record("front_back").number("value")).isCloseTo(trained, within(1e-9));
        assertThat(last.record("control").record("back").number("mean"))
                .isCloseTo((mean(rows, 1, 5) + mean(rows, 2, 5)) / 2, within(1e-9));
        assertThat(last.record("difference").number("value")).isCloseTo(trained - control, within(1e-9));
    }

    /** Mean cosine of a network's last layer and a fifth. */
    private static double mean(List<String[]> rows, int network, int fifth) {
        return rows.stream()
                .filter(row -> row[4].equals(String.valueOf(network))
                        && row[5].equals("2")
                        && row[6].equals(String.valueOf(fifth)))
                .mapToDouble(row -> Double.parseDouble(row[7]))
                .average()
                .orElseThrow();
    }

    @Test
    void theSameRunGivesTheSameBytes() throws IOException {
        for (int i = 1; i <= 2; i++) {
            run(data, "--out", temp.resolve("t" + i)).ok();
        }
        for (String file : List.of("scores.csv", "result.json")) {
            assertThat(temp.resolve("t1/tiny-bert").resolve(file))
                    .hasSameBinaryContentAs(temp.resolve("t2/tiny-bert").resolve(file));
        }
        Fields result = Json.readJson(temp.resolve("t1/tiny-bert/result.json"));
        assertThat(result.text("engine")).contains("torch", "transformers", "sentence-transformers", "thread");
        assertThat(result.text("generator")).contains("PCG64");
        assertThat(result.text("pooling")).isEqualTo("mean");
    }

    @Test
    void oneTextHasNoInterval() throws IOException {
        Cli.Ended ended = run(data, "--n 1");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains("posbias: letters: ", "at least 2 passages");
    }

    @Test
    void aTorchScriptFileIsRefused() throws IOException {
        Path model = TinyModels.writeBert(temp.resolve("former"), StandIns.WORDS);
        Files.writeString(
                model,
                Files.readString(model).replaceFirst("transformer: .*", "transformer: {torchscript: x.torchscript}"));
        Cli.run("diagnose segments --layers --model", model, "--dataset", data)
                .fails(2, "--layers: tiny", "TorchScript", "st:");
    }
}

package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.worker.RecordedWorker;
import io.posbias.model.encode.worker.StandInWorker;
import io.posbias.model.inside.TinyModels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Gradients of a tiny model from recorded answers of the worker; the numbers themselves: scripts/peers/inside.py. */
@DisabledOnOs(OS.WINDOWS)
class DiagnoseGradientsTest {
    private static final String COMMAND = "diagnose saliency --method gradient --min-words 1";

    @TempDir
    Path temp;

    private Path data = Path.of("");
    private Path model = Path.of("");

    @BeforeEach
    void write() throws IOException {
        model = TinyModels.writeBert(temp.resolve("model"), StandIns.WORDS);
        data = TinyBenchmark.in(temp.resolve("data"))
                .write("dataset.yaml", "name: letters\nlanguage: en\n")
                .write(
                        "corpus.jsonl",
                        TinyBenchmark.row("p", "a b c d e f g h", "") + TinyBenchmark.row("r", "🦊 h g f", ""))
                .write(
                        "queries.jsonl",
                        TinyBenchmark.row("q", "a b", ", \"pos_char_span\": [0, 3]")
                                + TinyBenchmark.row("s", "c", ", \"pos_char_span\": [4, 5]")
                                + TinyBenchmark.row("t", "g f", ", \"pos_char_span\": [4, 7]"))
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tp\t1\ns\tp\t1\nt\tr\t1\n")
                .folder();
    }

    private Cli.Ended run(Map<String, String> environment, Object... more) {
        return new Posbias(temp, environment).run(COMMAND, "--dataset", data, more);
    }

    @Test
    void aTokenHasItsPlaceAndANorm() throws IOException {
        Path out = temp.resolve("out");
        run(RecordedWorker.environment(temp, "gradients"), "--model", model, "--out", out)
                .ok();
        List<String[]> rows = Files.readAllLines(out.resolve("tiny-bert/scores.csv")).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
        // Two queries of the passage of eight tokens, one of the other, whose fox is one code point.
        assertThat(rows).extracting(row -> row[0]).containsOnly("q", "s", "t").hasSize(8 + 8 + 4);
        assertThat(rows)
                .filteredOn(row -> row[0].equals("t"))
                .extracting(row -> row[3] + "-" + row[4])
                .containsExactly("0-1", "2-3", "4-5", "6-7");
        assertThat(rows)
                .allSatisfy(row -> assertThat(Double.parseDouble(row[5])).isPositive());
        List<String> norms = rows.stream().map(row -> row[5]).toList();
        assertThat(norms.subList(0, 8)).isNotEqualTo(norms.subList(8, 16));
        assertThat(Json.readJson(out.resolve("tiny-bert/result.json"))
                        .record("saliency")
                        .text("engine"))
                .contains("torch", "float32", "thread");
    }

    /** Equal weights, and another computation. */
    @Test
    void aTransformerWithOtherSettingsIsRefused() throws IOException {
        Files.writeString(model, Files.readString(model).replace("heads: 4", "heads: 2"));
        Cli.Ended ended = run(RecordedWorker.environment(temp, "other-heads"), "--model", model);
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err().lines().filter(line -> line.startsWith("posbias: ")))
                .singleElement()
                .asString()
                .contains("transformer", "model.onnx", "heads");
    }

    @Test
    void withoutPythonOneLineSaysWhatToInstall() {
        run(Map.of("POSBIAS_PYTHON", "/no/python"), "--model", model)
                .fails(1, "sentence-transformers", "/no/python", "POSBIAS_PYTHON");
    }

    @Test
    void withoutALibraryOneLineSaysWhatToInstall() throws IOException {
        Path python = Files.writeString(
                temp.resolve("python"),
                "#!/bin/sh\necho '{\"versions\": {\"torch\": \"2\", \"transformers\": null}, \"python\": \"3.11\"}'\n");
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
        run(Map.of("POSBIAS_PYTHON", python.toString()), "--model", model)
                .fails(1, "transformers", "-m pip install sentence-transformers");
    }

    /** A worker of the user's own, which knows nothing of gradients. */
    @Test
    void aWorkerThatDoesNotLookInsideIsRefused() throws IOException {
        List<String> command = StandInWorker.command("dense", "honest");
        Path recipe = Files.write(
                temp.resolve("letters.yaml"),
                Json.toYaml(Map.of(
                                "name", "letters", "kind", "worker", "family", "dense", "gives", "dense", "command",
                                command))
                        .getBytes(StandardCharsets.UTF_8));
        Cli.Ended ended = run(Map.of(), "--model", recipe);
        assertThat(ended.code()).as(ended.err()).isEqualTo(1);
        assertThat(ended.err()).contains("letters: its worker does not look into the model", "st:ORG/NAME");
    }

    @Test
    void modelsOfOtherKindsAreRefused() {
        run(Map.of(), "--model bm25").fails(2, "bm25", "only dense encoders");
    }
}

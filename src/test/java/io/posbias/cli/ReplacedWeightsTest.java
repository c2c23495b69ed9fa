package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Staging;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.fetch.hub.FakeHub;
import io.posbias.model.encode.StandIns;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weights exported again into the same folder, as data that the graph names and the recipe does not: docs/faults.md. */
class ReplacedWeightsTest {
    @TempDir
    Path temp;

    private Path data = Path.of("");
    private Path recipe = Path.of("");

    @BeforeEach
    void write() {
        data = TinyBenchmark.ofWords(temp.resolve("data"), StandIns.WORDS);
        Path folder = temp.resolve("model");
        StandIns.write(folder, StandIns.external("w.data"), StandIns.PLAIN);
        recipe = folder.resolve("recipe.yaml");
    }

    /** @param step from a token's number to the next one's */
    private static byte[] weights(int step) {
        ByteBuffer numbers =
                ByteBuffer.allocate(2 * StandIns.VOCABULARY * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int id = 0; id < StandIns.VOCABULARY; id++) {
            numbers.putFloat(20 + step * id).putFloat(1);
        }
        return numbers.array();
    }

    private void export(int step) throws IOException {
        Files.write(temp.resolve("model/w.data"), weights(step));
    }

    private Object[] eval(String out, Object... more) {
        return new Object[] {
            "eval --format json --draws 0 --blind none --dataset",
            data,
            "--model",
            recipe,
            "--out",
            temp.resolve(out),
            more
        };
    }

    private String scores(String out) throws IOException {
        return Files.readString(temp.resolve(out).resolve("queries.csv"));
    }

    @Test
    void areNotReadFromTheCache() throws IOException {
        Posbias posbias = new Posbias(temp, Map.of());
        export(1);
        posbias.run(eval("out")).ok();
        String before = scores("out");
        export(-1);
        posbias.run(eval("out")).fails(1, temp.resolve("out"), "other model files", "--overwrite");
        posbias.run(eval("out", "--overwrite")).ok();
        String after = scores("out");
        new Posbias(temp.resolve("fresh"), Map.of()).run(eval("fresh-out")).ok();
        assertThat(after).isEqualTo(scores("fresh-out")).isNotEqualTo(before);
    }

    /** A branch on the Hub may move: the recipe does not tell which files were evaluated. */
    @Test
    void ofABranchAreAnotherModel() throws IOException {
        Files.writeString(recipe, """
                name: branch
                kind: dense
                source: {hub: some/model}
                onnx: {float32: model.onnx}
                external-data: w.data
                """ + StandIns.PLAIN);
        try (FakeHub hub = new FakeHub()) {
            Posbias posbias =
                    new Posbias(temp, Map.of("HF_ENDPOINT", hub.endpoint().toString()));
            for (String file : List.of("model.onnx", "tokenizer.json")) {
                hub.storeModel(
                        "some/model/" + file,
                        Files.readAllBytes(temp.resolve("model").resolve(file)),
                        false);
            }
            hub.storeModel("some/model/w.data", weights(1), true);
            posbias.run(eval("out")).ok();
            String before = scores("out");
            assertThat(posbias.run(eval("out")).ok().err()).contains("finished before");

            hub.moveTo("f".repeat(40));
            hub.storeModel("some/model/w.data", weights(-1), true);
            posbias.run("models pull", recipe, "--again").ok();
            posbias.run(eval("out")).fails(1, temp.resolve("out"), "other model files", "--overwrite");
            posbias.run(eval("out", "--overwrite")).ok();
            String after = scores("out");
            assertThat(after).isNotEqualTo(before);

            // Without the files there is nothing to compare, and the result is shown.
            Staging.delete(posbias.home().resolve("models"));
            assertThat(posbias.run(eval("out")).ok().err()).contains("finished before");
            assertThat(posbias.home().resolve("models")).doesNotExist();
            // Measured from its run, it stays a result of the files that made it.
            String digest = digest();
            posbias.run(eval("out", "--measures nDCG@10,R@5")).ok();
            assertThat(posbias.home().resolve("models")).doesNotExist();
            assertThat(digest()).isEqualTo(digest);
        }
    }

    private String digest() {
        return ResultFile.read(temp.resolve("out/result.json"))
                .getFirst()
                .provenance()
                .recipeSha256();
    }
}

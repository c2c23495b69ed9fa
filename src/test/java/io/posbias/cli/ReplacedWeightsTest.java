package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.dataset.TinyBenchmark;
import io.posbias.encode.StandIns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void write() throws IOException {
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (String word : StandIns.WORDS) {
            corpus.append(TinyBenchmark.row("p" + word, word + " " + word, ""));
            queries.append(TinyBenchmark.row("q" + word, word, ", \"pos_char_span\": [0, 1]"));
            qrels.append("q" + word + "\tp" + word + "\t1\n");
        }
        data = TinyBenchmark.inFifths(temp.resolve("data"), "words", corpus, queries, qrels);
        Path folder = temp.resolve("model");
        StandIns.write(folder, StandIns.external("w.data"), StandIns.PLAIN);
        recipe = folder.resolve("recipe.yaml");
    }

    /** @param step from a token's number to the next one's */
    private void export(int step) throws IOException {
        ByteBuffer numbers =
                ByteBuffer.allocate(2 * StandIns.VOCABULARY * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int id = 0; id < StandIns.VOCABULARY; id++) {
            numbers.putFloat(20 + step * id).putFloat(1);
        }
        Files.write(temp.resolve("model/w.data"), numbers.array());
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

    private String run(String out) throws IOException {
        return Files.readString(temp.resolve(out).resolve("queries.csv"));
    }

    @Test
    void areNotReadFromTheCache() throws IOException {
        Posbias posbias = new Posbias(temp, Map.of());
        export(1);
        posbias.run(eval("out")).ok();
        String before = run("out");
        export(-1);
        posbias.run(eval("out")).fails(1, temp.resolve("out"), "other model files", "--overwrite");
        posbias.run(eval("out", "--overwrite")).ok();
        String after = run("out");
        new Posbias(temp.resolve("fresh"), Map.of()).run(eval("fresh-out")).ok();
        assertThat(after).isEqualTo(run("fresh-out")).isNotEqualTo(before);
    }
}

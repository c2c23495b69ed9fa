package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.TinyBenchmark;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the numbers of a benchmark made by hand do not show is said once. */
class DatasetNotesTest {
    @TempDir
    Path temp;

    @Test
    void queriesWithoutEvidenceAreCountedAndNamed() {
        TinyBenchmark tiny = TinyBenchmark.in(temp.resolve("data")).write("queries.jsonl", """
                {"_id": "q1", "text": "where does the fox sleep", "pos_char_span": [17, 37]}
                {"_id": "q2", "text": "what does the owl hunt", "pos_chr_span": [15, 19], "answer_strat": 15}
                """);
        Path folder = tiny.folder();
        String note = "note: tiny: 1 of 2 queries do not say where their evidence is (first: "
                + folder.resolve("queries.jsonl") + ":2); it is read from pos_char_span [start, end) or span_class, not"
                + " from pos_chr_span (did you mean pos_char_span?), answer_strat\n";
        assertThat(Cli.run("data", "info", folder).err()).contains(note);
        Path out = temp.resolve("out");
        assertThat(Cli.run("eval", "--model", "bm25", "--dataset", folder, "--draws", 0, "--output", out)
                        .err())
                .containsOnlyOnce(note);
        Path run = out.resolve("run.trec.gz");
        assertThat(Cli.run("score", "--run", run, "--dataset", folder, "--draws", 0)
                        .err())
                .containsOnlyOnce(note);
    }

    @Test
    void whereAllIsSaidNothingIs() {
        assertThat(TinyBenchmark.in(temp.resolve("data")).open().notes()).isEmpty();
    }

    @Test
    void passagesInAnotherScriptThanTheirLanguages() {
        String chinese = "\u72d0\u72f8\u4f4f\u5728\u6865\u4e0b".repeat(50);
        TinyBenchmark tiny = TinyBenchmark.in(temp.resolve("data"))
                .write(
                        "corpus.jsonl",
                        "{\"_id\": \"p1\", \"text\": \"" + chinese + "\"}\n{\"_id\": \"p2\", \"text\": \"" + chinese
                                + "\"}\n");
        for (String card : new String[] {"name: tiny\n", "name: tiny\nlanguage: en\n"}) {
            Dataset dataset = tiny.write("dataset.yaml", card).open();
            assertThat(dataset.notes())
                    .singleElement()
                    .asString()
                    .startsWith("tiny: the passages are mostly in Han script (100% of their letters)")
                    .endsWith("dataset.yaml needs language: zh or ja");
        }
        assertThat(tiny.write("dataset.yaml", "name: tiny\nlanguage: zh\n")
                        .open()
                        .notes())
                .isEmpty();
    }
}

package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Staging;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetNotesTest {
    @TempDir
    Path temp;

    @Test
    void queriesWithoutEvidenceAreCountedAndNamed() {
        TinyBenchmark tiny = TinyBenchmark.in(temp.resolve("data")).write("queries.jsonl", """
                {"_id": "q1", "text": "where does the fox sleep", "pos_char_span": [17, 37]}
                {"_id": "q2", "text": "what does the owl hunt", "found_at": [15, 19], "answer_strat": 15}
                """);
        Path folder = tiny.folder();
        String note = "note: tiny: 1 of 2 queries do not say where their evidence is (first: "
                + "queries.jsonl:2); it is read from pos_char_span [start, end), span_class or the"
                + " text of answer, not from found_at, answer_strat\n";
        assertThat(Cli.run("data info", folder).err()).contains(note);
        Path out = temp.resolve("out");
        assertThat(Cli.run("eval --model bm25 --dataset", folder, "--draws 0 --out", out)
                        .err())
                .containsOnlyOnce(note);
        // The result keeps it, and report says it below its table.
        String kept = note.strip().replace("note: ", "");
        assertThat(ResultFile.read(out.resolve("result.json"))
                        .getFirst()
                        .provenance()
                        .datasetNotes())
                .containsExactly(kept);
        assertThat(Cli.run("report --width 400", out).ok().out()).containsOnlyOnce(kept);
        Path run = out.resolve("run.trec.gz");
        assertThat(Cli.run("score --run", run, "--dataset", folder, "--draws 0 --results", temp.resolve("all"))
                        .err())
                .containsOnlyOnce(note);
    }

    /** A benchmark of the catalogue that would have to be fetched does not hide the folder that somebody made. */
    @Tag("slow")
    @Test
    void aFolderComesBeforeANameThatIsNotHere() throws IOException, InterruptedException {
        Path folder = TinyBenchmark.in(temp.resolve("tquad")).folder();
        Cli.Ended ended = Child.run(temp, Map.of("HF_HUB_OFFLINE", "1"), "data info tquad");
        // And how long it takes, on a machine that is busy.
        assertThat(ended.err())
                .matches(
                        "note: tquad is not that of 'posbias data list'; ./tquad is here\n(posbias data info, \\d+ s\n)*");
        assertThat(ended.out()).startsWith("tiny\n");
        Staging.delete(folder);
        Files.createDirectories(folder);
        assertThat(Child.run(temp, Map.of("HF_HUB_OFFLINE", "1"), "data info tquad")
                        .err())
                .contains("licence of tquad: none stated\n")
                .contains("dev-v0.1.json is not on disk", "HF_HUB_OFFLINE");
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
                    .contains("tiny: ", "Han script (100%")
                    .endsWith("dataset.yaml needs language: zh or ja");
        }
        assertThat(tiny.write("dataset.yaml", "name: tiny\nlanguage: zh\n")
                        .open()
                        .notes())
                .isEmpty();
    }
}

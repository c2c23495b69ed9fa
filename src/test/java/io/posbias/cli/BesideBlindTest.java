package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model whose positions differ, beside BM25, whose positions differ as well: the questions in the middle are hard. */
class BesideBlindTest {
    private static final int PASSAGES = 60;
    private static final int THIRDS = 3;

    @TempDir
    static Path temp;

    /** A third of a passage is a sentence of a word of its own and of words that all passages have. */
    @BeforeAll
    static void benchmark() throws IOException {
        List<String> corpus = new ArrayList<>();
        List<String> queries = new ArrayList<>();
        List<String> judgements = new ArrayList<>(List.of("query-id\tcorpus-id\tscore"));
        for (int passage = 0; passage < PASSAGES; passage++) {
            // Of other lengths, so that passages do not tie.
            StringBuilder text = new StringBuilder("long ago ".repeat(passage % 7));
            for (int third = 0; third < THIRDS; third++) {
                String word = "w" + (char) ('a' + third) + passage;
                int start = text.length();
                text.append("the people of the town ").append(word).append(" repair the wooden bridge every spring. ");
                boolean isHard = third == 1 ? passage % 4 != 0 : passage % 5 == 0;
                String query = passage + "-" + third;
                queries.add("{\"_id\": \"" + query + "\", \"text\": \"" + (isHard ? "wooden bridge" : word)
                        + "\", \"pos_char_span\": [" + start + ", " + (text.length() - 1) + "]}");
                judgements.add(query + "\td" + passage + "\t1");
            }
            corpus.add("{\"_id\": \"d" + passage + "\", \"text\": \""
                    + text.toString().strip() + "\"}");
        }
        Files.createDirectories(temp.resolve("data/qrels"));
        Files.write(temp.resolve("data/corpus.jsonl"), corpus);
        Files.write(temp.resolve("data/queries.jsonl"), queries);
        Files.write(temp.resolve("data/qrels/test.tsv"), judgements);
        Files.writeString(temp.resolve("data/dataset.yaml"), "name: towns\nlanguage: en\nbucketing: relative:3\n");
    }

    private static String eval(Object... command) {
        return Cli.run(command).ok().out().replaceAll("\\s+", " ");
    }

    /** Fused with itself, BM25 is no kind that is known to be blind. */
    @Test
    void theSameProfileIsContent() {
        assertThat(eval(
                        "eval --model bm25+fused --draws 500 --results",
                        temp.resolve("same"),
                        "--dataset",
                        temp.resolve("data")))
                .contains(
                        "bm25 (blind)",
                        "bm25+fused: positions differ, as they do for bm25, which sees none: by content")
                .contains("posbias diagnose position --model bm25+fused");
    }

    /** Of a run that finds what stands in the first third alone. */
    @Test
    void anotherProfileIsNot() throws IOException {
        List<String> run = new ArrayList<>();
        for (int passage = 0; passage < PASSAGES; passage++) {
            for (int third = 0; third < THIRDS; third++) {
                boolean isFound = third == 0 ? passage % 5 != 0 : passage % 5 == 0;
                int found = isFound ? passage : (passage + 1) % PASSAGES;
                run.add(passage + "-" + third + " Q0 d" + found + " 1 1.0 front");
            }
        }
        Path file = Files.write(temp.resolve("front.trec"), run);
        Object[] score = {"score --draws 500 --dataset", temp.resolve("data"), "--run", file, "--results"};
        assertThat(eval(with(score, temp.resolve("front"))))
                .contains("front: positions differ, and otherwise than for bm25, which sees none: by position, or");
        // Not beside another model, and not without one.
        assertThat(eval(with(score, temp.resolve("front"), "--blind none")))
                .contains("front: positions differ, by position or by content");
    }

    private static Object[] with(Object[] command, Object... more) {
        List<Object> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(more));
        return all.toArray();
    }
}

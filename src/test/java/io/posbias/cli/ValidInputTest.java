package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.model.encode.StandIns;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sound files that once ended in a stack trace or in wrong numbers: docs/faults.md. */
class ValidInputTest {
    @TempDir
    Path temp;

    private Posbias posbias = new Posbias(Path.of(""), Map.of());

    @BeforeEach
    void home() {
        posbias = new Posbias(temp, Map.of());
    }

    private Path twoPassages(String title) {
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (int i = 0; i < 8; i++) {
            boolean middle = i >= 5;
            int start = middle ? 40 + i : i < 3 ? i : 90 + i;
            queries.append(TinyBenchmark.row(
                    "q" + i, "w" + (i % 3), ", \"pos_char_span\": [" + start + ", " + (start + 1) + "]"));
            qrels.append("q")
                    .append(i)
                    .append('\t')
                    .append(middle ? "p2" : "p1")
                    .append("\t1\n");
        }
        String text = "w0 w1 " + "f ".repeat(50);
        String titled = title.isEmpty() ? "" : ", \"title\": \"" + title + "\"";
        String corpus = TinyBenchmark.row("p1", text, titled) + TinyBenchmark.row("p2", "w2 " + text, titled);
        return TinyBenchmark.inFifths(temp.resolve("data" + title), "two", corpus, queries, qrels);
    }

    private Path eval(String model, Path data, String out, Object... more) {
        Path cell = temp.resolve(out);
        Object[] words = Stream.concat(
                        Stream.of("eval --model", model, "--dataset", data, "--out", cell), Stream.of(more))
                .toArray();
        posbias.run(words).ok();
        return cell;
    }

    @Test
    void frontAndBackMayBeOfOnePassage() {
        Result result = ResultFile.read(eval("bm25", twoPassages(""), "out").resolve("result.json"))
                .getFirst();
        assertThat(result.profiles().getFirst().direction()).isNotNull();
    }

    @Test
    void aGateTellsWhatItCannotTest() {
        Path cell = eval("bm25", twoPassages(""), "out");
        Cli.Ended gate = posbias.run("gate --baseline", cell, "--result", cell, "--fail-on nDCG@10<-0.005")
                .ok();
        assertThat(gate.out()).contains("note: bm25 on two: nDCG@10, bucket 0-20%", "3 queries");
    }

    /** A gate that has tested nothing must not pass. */
    @Test
    void aGateOfOneArticleIsShut() {
        Path cell = eval("bm25", twoPassages("one"), "out", "--cluster article");
        Cli.Ended gate = posbias.run("gate --baseline", cell, "--result", cell, "--fail-on nDCG@10<-0.005");
        assertThat(gate.code()).as(gate.err()).isEqualTo(3);
        assertThat(gate.out()).contains("missing: bm25 on two");
    }

    @Test
    void identifiersWithSpacesAreRefused() {
        Path data = TinyBenchmark.in(temp.resolve("tiny"))
                .write("queries.jsonl", "{\"_id\": \"q 1\", \"text\": \"where does the fox sleep\"}\n")
                .folder();
        posbias.run("eval --model bm25 --dataset", data, "--results", temp.resolve("results"))
                .fails(1, "queries.jsonl", "1", "_id", "q 1");
    }

    /** Three passages that the query excludes took all of a reranker's three candidates. */
    @Test
    void excludedPassagesTakeNoCandidatesOfAReranker() throws IOException {
        String corpus = TinyBenchmark.row("x1", "bb bb bb", "")
                + TinyBenchmark.row("x2", "bb bb bb bb", "")
                + TinyBenchmark.row("x3", "bb bb", "")
                + TinyBenchmark.row("right", "aa bb cc dd", "")
                + TinyBenchmark.row("other", "cc", "");
        String query =
                TinyBenchmark.row("q", "bb", ", \"pos_char_span\": [0, 1], \"excluded_ids\": [\"x1\", \"x2\", \"x3\"]");
        Path data = TinyBenchmark.inFifths(
                temp.resolve("data"), "excluding", corpus, query, "query-id\tcorpus-id\tscore\nq\tright\t1\n");
        WordTokenizer words = WordTokenizer.of(List.of("aa", "bb", "cc", "dd"));
        Path recipe = StandInRerankers.write(
                temp.resolve("reranker"),
                "reranker",
                StandInRerankers.overlap(words.size(), 1),
                words.toJson(),
                "kind: cross-encoder\nfamily: reranker\nmax-tokens: 64\nfirst-stage: bm25\ndepth: 3\n");
        Result result = ResultFile.read(
                        eval(recipe.toString(), data, "out", "--draws 0").resolve("result.json"))
                .getFirst();
        assertThat(result.profiles().getFirst().queryMean()).isEqualTo(1, within(1e-12));
    }

    /** The sum of two recalls is no recall. */
    @Test
    void aFusionOfTwoApproximateSearchesHasTheRecallOfTheWorse() throws IOException {
        Path first = approximate("one");
        Path second = approximate("two");
        Path fused = Files.writeString(
                temp.resolve("fused.yaml"), "name: both\nkind: fused\nmodel: " + first + "\nwith: [" + second + "]\n");
        Path cell = eval(fused.toString(), twoPassages(""), "out", "--draws 0");
        Map<String, Double> search = ResultFile.read(cell.resolve("result.json"))
                .getFirst()
                .retrieval()
                .searchStats();
        assertThat(search.entrySet().stream().filter(figure -> figure.getKey().startsWith("hnsw_recall@")))
                .singleElement()
                .satisfies(figure -> assertThat(figure.getValue()).isEqualTo(1));
    }

    private Path approximate(String name) throws IOException {
        Path folder = temp.resolve(name);
        StandIns.write(folder, StandIns.lookup(StandIns.table(StandIns.VOCABULARY)), StandIns.PLAIN + "search: hnsw\n");
        Path recipe = folder.resolve("recipe.yaml");
        return Files.writeString(recipe, Files.readString(recipe).replace("name: stand-in", "name: " + name));
    }

    /** SQuAD-PosQ's buckets end at 3,120 characters: most questions of long passages are in none. */
    @Test
    void longPassagesGetBucketsThatHoldTheirQuestions() throws IOException {
        StringBuilder questions = new StringBuilder();
        String text = "word ".repeat(2000) + "answer";
        for (int i = 0; i < 10; i++) {
            int start = i == 0 ? 0 : 5000 + 5 * i;
            questions
                    .append(i == 0 ? "" : ", ")
                    .append("{\"id\": \"q" + i + "\", \"question\": \"which word\", \"answers\": [{\"text\": \"word\","
                            + " \"answer_start\": " + start + "}]}");
        }
        Path input = Files.writeString(
                temp.resolve("long.json"),
                "{\"version\": \"1\", \"data\": [{\"title\": \"t\", \"paragraphs\": [{\"context\": \"" + text
                        + "\", \"qas\": [" + questions + "]}]}]}");
        Cli.Ended built = posbias.run(
                        "data build squad-posq --language en --input", input, "--out", temp.resolve("long"))
                .ok();
        assertThat(built.err()).contains("10%", "relative:5");
        assertThat(Files.readString(temp.resolve("long/dataset.yaml"))).contains("relative:5");
        Cli.Ended asked = posbias.run(
                "data build squad-posq --language en --input",
                input,
                "--out",
                temp.resolve("asked"),
                "--buckets thirds");
        assertThat(asked.err()).doesNotContain("relative:5");
        Cli.Ended eval = posbias.run("eval --model bm25 --dataset", temp.resolve("long"), "--out", temp.resolve("out"));
        // Ten queries of one passage, in thin buckets: no PSI in the table, and no p of one cluster.
        assertThat(eval.out().lines().filter(line -> line.startsWith("bm25 ")))
                .singleElement()
                .asString()
                .matches(".* - +- +-");
    }

    @Test
    void aRecipeOfMegabytesIsRefusedAtOnce() throws IOException {
        Path recipe = Files.writeString(
                temp.resolve("big.yaml"), "name: big\nkind: bm25\ndescription: \"" + "x".repeat(2_000_000) + "\"\n");
        posbias.run("eval --model", recipe, "--dataset demo").fails(1, "big.yaml", "1000000");
    }
}

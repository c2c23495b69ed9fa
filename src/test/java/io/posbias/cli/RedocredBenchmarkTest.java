package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import io.posbias.base.json.Json;
import io.posbias.study.probe.redocred.Article;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code data build redocred}: the retrieval set of ColDeR's Table A.3, from a few articles. */
class RedocredBenchmarkTest {
    @TempDir
    Path temp;

    private Path test = Path.of("");
    private Path train = Path.of("");

    /** Ada was born in London and in 1815; the training file states the first too, and has an article called Ada. */
    @BeforeEach
    void write() {
        test = Article.write(
                temp.resolve("test.json"),
                Article.of(
                                "Ada",
                                "Fog \uD83C\uDF2B .",
                                "{0:PER:Ada} was born in {1:LOC:London} , {2:TIME:1815} .",
                                "{0:PER:Ada} wrote {3:MISC:Notes} .")
                        .label("P19", 0, 1, 1)
                        .label("P569", 0, 2, 1)
                        .label("P800", 0, 3, 1, 2));
        train = Article.write(
                temp.resolve("train.json"),
                Article.of("Other", "{0:PER:Ada} and {1:LOC:London} .").label("P551", 0, 1),
                Article.of("Ada", "{0:PER:Ada} , {1:TIME:1815} .").label("P569", 0, 1, 0));
    }

    private Cli.Ended build(Object... more) {
        return Cli.run("data build redocred --input", test, "--out", temp.resolve("set"), more);
    }

    @Test
    void articlesArePassagesAndRelationsQueries() throws IOException {
        Cli.Ended ended = build("--corpus", train).ok();
        assertThat(ended.err()).matches("""
            note: queries, relations: 3
            note: queries, in no other article: 2
            note: queries, with evidence: 2
            note: queries, with a question: 2
            note: 1 query .*
            set: 2 passages, 2 queries in %s
            """.formatted(temp.resolve("set")));
        // The second article called Ada is no passage, and does not answer for the first.
        assertThat(Files.readAllLines(temp.resolve("set/corpus.jsonl")))
                .containsExactly(
                        "{\"_id\":\"test-article0\",\"title\":\"Ada\",\"text\":\"Fog \uD83C\uDF2B . Ada was born in"
                                + " London , 1815 . Ada wrote Notes .\"}",
                        "{\"_id\":\"train-article0\",\"title\":\"Other\",\"text\":\"Ada and London .\"}");
        // Code points: "Fog x . " has 8, the sentence 31 and the text 57.
        assertThat(Files.readAllLines(temp.resolve("set/queries.jsonl")))
                .containsExactly(
                        "{\"_id\":\"test1\",\"text\":\"When was Ada"
                                + " born?\",\"pos_char_span\":[8,39],\"pos_char_length\":57}",
                        "{\"_id\":\"test2\",\"text\":\"What is a notable work of Ada?\"}");
        assertThat(Files.readString(temp.resolve("set/qrels/test.tsv")))
                .endsWith("test1\ttest-article0\t1\ntest2\ttest-article0\t1\n");
        Cli.run("eval --model bm25 --dataset", temp.resolve("set"), "--results", temp.resolve("results"))
                .ok();
    }

    @Test
    void withoutTheCorpusNothingElseAnswers() {
        assertThat(build().err()).contains("in no other article: 3\n", "set: 1 passage, 3 queries");
        build("--overwrite --corpus", temp.resolve("none.json")).fails(2, "--corpus " + temp.resolve("none.json"));
    }

    /** The same file takes the same query from the probes. */
    @Test
    void probesLookForDuplicatesThereToo() throws IOException {
        Path out = temp.resolve("probes");
        Path bob = Article.write(
                temp.resolve("bob.json"),
                Article.of("Bob", "{0:PER:Bob} was born in {1:LOC:Rome} .", "Rain fell .")
                        .label("P19", 0, 1, 0));
        Cli.Ended built = Cli.run(
                "probe build redocred --input",
                test,
                "--input",
                bob,
                "--corpus",
                train,
                "--out",
                out,
                "--probe brevity");
        assertThat(built.err()).startsWith("brevity: 1 of 1 candidates");
        String card = Files.readString(out.resolve("probes.yaml"));
        assertThat(card).contains("in no other article: 3", "corpus:\n  train.json: \"");
        Path json = Files.write(
                temp.resolve("card.json"),
                Json.toBytes(Json.readYaml(out.resolve("probes.yaml")).toMap()));
        assertThat(SchemaCheck.read("probes-1").validate(Files.readString(json), InputFormat.JSON))
                .isEmpty();
        assertThat(Cli.run(
                                "probe build redocred --input",
                                test,
                                "--corpus",
                                train,
                                "--out",
                                out,
                                "--overwrite --keep-duplicates")
                        .err())
                .contains("--corpus ", "--keep-duplicates");
    }
}

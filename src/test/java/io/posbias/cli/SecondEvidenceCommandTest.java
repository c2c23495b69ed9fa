package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.TinyBenchmark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecondEvidenceCommandTest {
    private static final String CARD = "name: tiny\nlanguage: en\nbucketing: thirds\n";

    @TempDir
    Path temp;

    /** Sentences of p1: [0, 10), [11, 22), [23, 35), [36, 47) in code points; thirds of 15. */
    private TinyBenchmark benchmark() {
        return TinyBenchmark.in(temp.resolve("tiny"))
                .write("dataset.yaml", CARD)
                .write("corpus.jsonl", """
                        {"_id": "p1", "text": "🦉 fox ran. Owl at ten. A fox hid 2. Owl so late"}
                        {"_id": "p2", "text": "Fox here. Nothing there."}
                        """)
                .write("queries.jsonl", """
                        {"_id": "q1", "text": "who ran fox", "pos_char_span": [2, 5]}
                        {"_id": "q2", "text": "owl when", "pos_char_span": [18, 21]}
                        {"_id": "q3", "text": "fox hid", "pos_char_span": [25, 28]}
                        {"_id": "q4", "text": "owl late", "pos_char_span": [40, 42]}
                        {"_id": "q5", "text": "fox"}
                        {"_id": "q6", "text": "nothing", "pos_corpus_id": "p2", "pos_char_span": [0, 3]}
                        """)
                .write("qrels/test.tsv", """
                        query-id\tcorpus-id\tscore
                        q1\tp1\t1
                        q2\tp1\t1
                        q3\tp1\t1
                        q4\tp1\t1
                        q5\tp2\t1
                        q6\tp1\t1
                        q6\tp2\t1
                        """);
    }

    private Cli.Ended diagnosed(Object... options) {
        return Cli.run("diagnose second-evidence --dataset", benchmark().folder(), options);
    }

    private Fields json(Object... options) {
        String out =
                diagnosed("--format json", Cli.words(options).toArray()).ok().out();
        return Json.parse(temp.resolve("out.json"), out.getBytes(StandardCharsets.UTF_8));
    }

    /** Queries, those with a second evidence, before, after, and those with one here. */
    private static List<List<Integer>> counts(Fields found) {
        return found.records("shares").stream()
                .map(share -> List.of(
                        share.integer("queries"),
                        share.integer("second"),
                        share.integer("before"),
                        share.integer("after"),
                        share.integer("other_here")))
                .toList();
    }

    /** "fox" stands in the first and the third sentence of p1; q5 has no span, q6 two relevant passages. */
    @Test
    void theTextOfTheEvidenceIsCountedByPosition() throws IOException {
        Path list = temp.resolve("second.jsonl");
        Fields found = json("--out", list);
        assertThat(found.records("shares").stream().map(share -> share.text("bucket")))
                .containsExactly("all", "beginning", "middle", "end");
        assertThat(counts(found))
                .containsExactly(
                        List.of(4, 2, 1, 1, 2), List.of(1, 1, 0, 1, 1), List.of(2, 1, 1, 0, 1), List.of(1, 0, 0, 0, 0));
        Fields all = found.records("shares").getFirst();
        assertThat(all.number("share")).isEqualTo(0.5);
        // Wilson by hand: centre 1/2, half z sqrt(1/16 + z z / 64) / (1 + z z / 4).
        List<?> interval = (List<?>) Objects.requireNonNull(all.raw("share_interval"));
        assertThat(interval.stream().map(end -> Math.round(1e6 * ((Number) end).doubleValue())))
                .containsExactly(150_039L, 849_961L);
        assertThat(found.integer("left_out")).isEqualTo(2);
        assertThat(found.integer("long_spans")).isZero();
        assertThat(found.has("found_by")).isFalse();
        assertThat(Files.readAllLines(list))
                .hasSize(4)
                .first()
                .isEqualTo("{\"query_id\":\"q1\",\"second\":\"after\",\"others\":[[25,28]],"
                        + "\"sentences\":[[0,10],[11,22],[23,35],[36,47]],\"own\":[0,1]}");
    }

    /** The sentences score 5, 0, 7 and 4; for q2 they score 5, 3, 2 and 3. */
    @Test
    void aModelScoresTheSentencesForTheQuery() throws IOException {
        Path model = Files.writeString(
                temp.resolve("given.yaml"),
                "name: given\nkind: given-scores\nwords: {\"owl when: Owl\": 3, \"owl when: hid\": 2, ran: 5, hid: 7, late: 4}\n");
        Path list = temp.resolve("second.jsonl");
        Fields found = json("--model", model, "--out", list);
        assertThat(counts(found).getFirst()).isEqualTo(List.of(4, 3, 2, 2, 3));
        assertThat(found.record("found_by").text("model")).isEqualTo("given");
        assertThat(found.record("found_by").number("margin")).isZero();
        assertThat(Files.readAllLines(list).get(1))
                .endsWith("\"second\":\"both\",\"others\":[[0,10],[36,47]],"
                        + "\"sentences\":[[0,10],[11,22],[23,35],[36,47]],\"own\":[1,2],\"scores\":[5.0,3.0,2.0,3.0]}");
        assertThat(Files.readString(list).lines().skip(3)).first().asString().contains("\"others\":[[0,10],[23,35]]");
        // With a margin of 2, the first sentence reaches the third for q3.
        assertThat(counts(json("--model", model, "--margin 2")).getFirst()).isEqualTo(List.of(4, 4, 3, 2, 4));
    }

    @Test
    void optionsThatMeanNothingAreRefused() {
        diagnosed("--margin 1").fails(2, "--model");
        diagnosed("--model bm25 --margin -1").fails(2, "--margin");
        diagnosed("--seed 3").fails(2, "--n");
        benchmark()
                .write("queries.jsonl", "{\"_id\": \"q1\", \"text\": \"a\"}\n")
                .write("qrels/test.tsv", "q1\tp1\t1\n");
        Cli.run("diagnose second-evidence --dataset", temp.resolve("tiny")).fails(2, "pos_char_span");
    }

    private Cli.Ended eval(Object... options) {
        return Cli.run(
                "eval --model bm25 --draws 0 --dataset", temp.resolve("tiny"), "--out", temp.resolve("out"), options);
    }

    private Fields result() throws IOException {
        return Json.readJson(temp.resolve("out/result.json")).records("results").getFirst();
    }

    @Test
    void evalLeavesThemOutByTheText() throws IOException {
        benchmark();
        assertThat(eval("--single-evidence").ok().err()).contains("2 of 6 questions", "(single evidence: answer)");
        assertThat(result().record("queries").integer("judged")).isEqualTo(4);
        assertThat(result().record("queries").integer("unjudged")).isZero();
        assertThat(result().record("queries").record("judgements").integer("second_evidence"))
                .isEqualTo(2);
        assertThat(result().record("settings").text("single_evidence")).isEqualTo("answer");
        assertThat(Files.readAllLines(temp.resolve("out/queries.csv")).stream()
                        .skip(1)
                        .map(line -> line.substring(0, line.indexOf(','))))
                .containsExactly("q2", "q4", "q5", "q6");
        // A finished result with other queries is not taken for this one.
        eval().fails(1, "second evidence", "--overwrite");
        assertThat(eval("--single-evidence").ok().err()).contains("finished before");
        benchmark().write("dataset.yaml", CARD + "single_evidence: answer\n");
        assertThat(eval().ok().err()).contains("finished before");
    }

    @Test
    void evalLeavesThoseOfAListOut() throws IOException {
        benchmark();
        Path list = Files.writeString(
                temp.resolve("mine.jsonl"),
                "{\"query_id\": \"q2\", \"second\": \"both\"}\n{\"query_id\": \"q1\", \"second\": \"none\"}\n");
        // q3, q4 and q6 have a span.
        assertThat(eval("--single-evidence", list).ok().err()).contains("1 of 6 questions", "does not list 3 queries");
        assertThat(result().record("settings").text("single_evidence")).matches("mine\\.jsonl [0-9a-f]{12}");
        Files.writeString(list, "{\"query_id\": \"q1\", \"second\": \"after\"}\n");
        eval("--single-evidence", list).fails(1, "mine.jsonl", "--overwrite");
    }

    @Test
    void listsOfOtherBenchmarksAreRefused() throws IOException {
        benchmark();
        Path list = Files.writeString(temp.resolve("other.jsonl"), "{\"query_id\": \"x\", \"second\": \"none\"}\n");
        eval("--single-evidence", list).fails(1, "other.jsonl", "tiny");
        Files.writeString(list, "{\"query_id\": \"q1\", \"second\": \"twice\"}\n");
        eval("--single-evidence", list).fails(1, "other.jsonl:1", "second");
        Files.writeString(list, "{\"query_id\": \"q1\", \"second\": \"after\"}\n".repeat(2));
        eval("--single-evidence", list).fails(1, "other.jsonl:2", "query_id");
        Files.writeString(list, "");
        eval("--single-evidence", list).fails(1, "other.jsonl");
        StringBuilder all = new StringBuilder();
        for (int i = 1; i <= 6; i++) {
            all.append("{\"query_id\": \"q" + i + "\", \"second\": \"after\"}\n");
        }
        Files.writeString(list, all);
        eval("--single-evidence", list).fails(1, "6 judged queries");
        eval("--single-evidence", temp.resolve("absent")).fails(2, "absent");
    }

    /** Of a query that is asked at several places, all variants are left out. */
    @Test
    void variantsAreLeftOutTogether() throws IOException {
        benchmark()
                .write("dataset.yaml", CARD + "content_fixed: windows\n")
                .write("queries.jsonl", """
                        {"_id": "q1", "text": "fox", "pos_char_span": [2, 5], "variant_of": "a", "variant_place": 1, "variant_document": "d"}
                        {"_id": "q2", "text": "fox", "pos_char_span": [0, 3], "variant_of": "a", "variant_place": 2, "variant_document": "d"}
                        {"_id": "q3", "text": "owl", "pos_char_span": [18, 21], "variant_of": "b", "variant_place": 1, "variant_document": "d"}
                        {"_id": "q4", "text": "owl", "pos_char_span": [18, 23], "variant_of": "b", "variant_place": 2, "variant_document": "d"}
                        """)
                .write("qrels/test.tsv", "q1\tp1\t1\nq2\tp2\t1\nq3\tp1\t1\nq4\tp2\t1\n");
        eval("--single-evidence").ok();
        assertThat(Files.readAllLines(temp.resolve("out/queries.csv")).stream()
                        .skip(1)
                        .map(line -> line.substring(0, line.indexOf(','))))
                .containsExactly("q3", "q4");
    }
}

package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFileTest;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TruncationTest {
    @TempDir
    Path temp;

    /**
     * Eight tokens are six words. "🦉 b c d e f" of p1 is seen, to UTF-16 unit 12; of p2 the title and "b c d" to unit 5;
     * p3 whole.
     */
    private Path benchmark() {
        return TinyBenchmark.in(temp.resolve("data"))
                .write("dataset.yaml", "name: cut\nlanguage: en\nbucketing: relative:2\n")
                .write("corpus.jsonl", """
                        {"_id": "p1", "text": "🦉 b c d e f g h a b"}
                        {"_id": "p2", "title": "a a a", "text": "b c d e f g"}
                        {"_id": "p3", "text": "a b c"}
                        """)
                .write("queries.jsonl", """
                        {"_id": "seen", "text": "b", "pos_char_span": [2, 3]}
                        {"_id": "last", "text": "f", "pos_char_span": [10, 11]}
                        {"_id": "half", "text": "f g", "pos_char_span": [10, 13]}
                        {"_id": "past", "text": "h", "pos_char_span": [14, 15]}
                        {"_id": "title", "text": "e", "pos_char_span": [6, 7]}
                        {"_id": "whole", "text": "a b c d e f g h a", "pos_char_span": [4, 5]}
                        """)
                .write("qrels/test.tsv", """
                        query-id\tcorpus-id\tscore
                        seen\tp1\t1
                        last\tp1\t1
                        half\tp1\t1
                        past\tp1\t1
                        title\tp2\t1
                        whole\tp3\t1
                        """)
                .folder();
    }

    @Test
    void evidencePastTheCutIsCountedInItsBucket() throws IOException {
        Path recipe = new ReferenceEncoder("short", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 8)
                .write(temp.resolve("model"), WordTokenizer.words("a b c d e f g h"));
        Cli.Ended ended = Cli.run(
                        "eval --model",
                        recipe,
                        "--dataset",
                        benchmark(),
                        "--no-cache --out",
                        temp.resolve("out"),
                        "--width 200")
                .ok();
        Path file = temp.resolve("out/result.json");
        assertThat(ResultFileTest.violations(Files.readString(file))).isEmpty();
        Result result = ResultFile.read(file).getFirst();
        assertThat(result.retrieval().truncations())
                .containsExactly(new Truncation(
                        "short",
                        8,
                        "passages",
                        3,
                        2,
                        1,
                        true,
                        2,
                        3,
                        List.of(new Truncation.Bucket("0-50%", 0, 0), new Truncation.Bucket("50-100%", 2, 3))));
        assertThat(ended.out().lines())
                .anyMatch(line -> line.matches("  truncated before +0 +2"))
                .anyMatch(
                        line -> line.matches("short: 2 of 3 passages and 1 query .* 8 tokens; .* 2 queries .* for 3"));
        byte[] again = ResultFile.toBytes(List.of(result));
        assertThat(file).hasBinaryContent(again);
    }

    @Test
    void nothingIsToldWhereNothingWasCut() {
        Path recipe = new ReferenceEncoder("long", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 16)
                .write(temp.resolve("model"), WordTokenizer.words("a b c d e f g h"));
        Cli.Ended ended =
                Cli.run("eval --model", recipe, "--dataset", benchmark(), "--no-cache --out", temp.resolve("out"));
        assertThat(ended.out()).doesNotContain("were cut").doesNotContain("evidence past");
    }

    /** How much of the evidence was read is stored by query. */
    @Test
    void truncationIsCountedForOtherBucketsFromTheStoredRun() throws IOException {
        Path recipe = new ReferenceEncoder("short", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 8)
                .write(temp.resolve("model"), WordTokenizer.words("a b c d e f g h"));
        Path data = benchmark();
        Path out = temp.resolve("out");
        Object[] command = {"eval --no-cache --blind none --format json --model", recipe, "--dataset", data, "--out"};
        Cli.run(with(command, out)).ok();
        assertThat(Files.readString(out.resolve("queries.csv"))).contains("past,", ",none,", ",part,", ",whole,");
        Cli.Ended measured = Cli.run(with(command, out, "--buckets relative:4")).ok();
        assertThat(measured.err()).contains("measured from");
        Path fresh = temp.resolve("fresh");
        Cli.run(with(command, fresh, "--buckets relative:4")).ok();
        Path printed = Files.writeString(temp.resolve("printed.json"), measured.out());
        assertThat(ResultFile.read(printed).getFirst().retrieval().truncations())
                .isEqualTo(ResultFile.read(fresh.resolve("result.json"))
                        .getFirst()
                        .retrieval()
                        .truncations());
    }

    private static Object[] with(Object[] command, Object... more) {
        return Stream.concat(Stream.of(command), Stream.of(more)).toArray();
    }
}

package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Files of benchmarks and runs as people have them: the table in docs/faults.md. */
class FieldCasesTest {
    private static final String QRELS = "qrels/test.tsv";
    private static final String HEADER = "query-id\tcorpus-id\tscore\n";

    @TempDir
    Path temp;

    /** Passages of one word each; q1 to q4 ask for p1 to p4. */
    private TinyBenchmark benchmark(String name) {
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder(HEADER);
        List<String> words = List.of("apple", "bridge", "clock", "dough");
        for (int i = 1; i <= words.size(); i++) {
            String word = words.get(i - 1);
            corpus.append(TinyBenchmark.row("p" + i, word + " " + word, ""));
            queries.append(TinyBenchmark.row("q" + i, word, ", \"pos_char_span\": [0, 1]"));
            qrels.append("q" + i + "\tp" + i + "\t1\n");
        }
        Path folder = temp.resolve(name);
        TinyBenchmark.inFifths(folder, "field", corpus, queries, qrels);
        return TinyBenchmark.in(folder)
                .write("dataset.yaml", "name: field\nlanguage: en\nbucketing: relative:5\n")
                .write("corpus.jsonl", corpus.toString())
                .write("queries.jsonl", queries.toString())
                .write(QRELS, qrels.toString());
    }

    private Cli.Ended eval(TinyBenchmark data, Object... more) {
        return Cli.run("eval --model bm25 --draws 0 --dataset", data.folder(), "--overwrite --out", out(), more);
    }

    private Cli.Ended score(TinyBenchmark data, Path run, Object... more) {
        return Cli.run(
                "score --draws 0 --name sys --dataset", data.folder(), "--overwrite --out", out(), "--run", run, more);
    }

    private Path out() {
        return temp.resolve("out");
    }

    private String result() throws IOException {
        return Files.readString(out().resolve("result.json"));
    }

    private double mean() {
        Result result = ResultFile.read(out().resolve("result.json")).getFirst();
        return Objects.requireNonNull(result.profiles().getFirst().queryMean());
    }

    private Path zip(String... folders) throws IOException {
        Path zip = temp.resolve("set.zip");
        try (OutputStream file = Files.newOutputStream(zip);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (String folder : folders) {
                Path files = benchmark("of-" + folder).folder();
                for (String name : List.of("queries.jsonl", QRELS, "corpus.jsonl")) {
                    out.putNextEntry(new ZipEntry("cqadupstack/" + folder + "/" + name));
                    out.write(Files.readAllBytes(files.resolve(name)));
                }
            }
        }
        return zip;
    }

    @Test
    void severalBenchmarksAreNamedAndOneOrAllAreChosen() throws IOException {
        Path zip = zip("physics", "android");
        String[] build = {"--language", "en", "--out", out().toString()};
        Cli.run("data build beir --input", zip, build).fails(1, "set.zip", "android, physics", "--set");
        Cli.run("data build beir --input", zip, build, "--set gis").fails(2, "gis", "android, physics");
        Cli.run("data build beir --input", zip, build, "--set physics").ok();
        assertThat(out().resolve("corpus.jsonl")).exists();
        Cli.run("data build beir --input", zip, build, "--overwrite --set android")
                .ok();
        Path all = temp.resolve("all");
        Cli.run("data build beir --language en --input", zip, "--set all --out", all)
                .ok();
        assertThat(all.resolve("android/dataset.yaml")).content().contains("name: \"all/android\"");
        assertThat(all.resolve("physics/qrels/test.tsv")).exists();
        assertThat(all.resolve("unpacked")).doesNotExist();
        Cli.run("eval --model bm25 --dataset", all).fails(2, "android, physics");
        Cli.run("data build beir --input", all, build, "--overwrite --set physics")
                .ok();
    }

    @Test
    void aMissingSplitNamesTheOthers() {
        TinyBenchmark data = benchmark("data");
        data.write("qrels/dev.tsv", HEADER + "q1\tp1\t1\n").without(QRELS);
        eval(data).fails(1, "qrels/test", "--split", "dev");
        Cli.run("data build beir --split dev --input", data.folder(), "--out", temp.resolve("built"))
                .ok();
    }

    private TinyBenchmark queriesThatArePassages() throws IOException {
        TinyBenchmark data = benchmark("data");
        String corpus = Files.readString(data.folder().resolve("corpus.jsonl"));
        return data.write(
                "corpus.jsonl",
                corpus + TinyBenchmark.row("q1", "apple apple", "") + TinyBenchmark.row("q2", "bridge bridge", ""));
    }

    @Test
    void aQuerysOwnPassageIsCountedAndCanBeLeftOut() throws IOException {
        TinyBenchmark data = queriesThatArePassages();
        assertThat(eval(data).ok().err()).contains("2 queries", "--exclude-self");
        // Both have one score, and the query's identifier is the higher.
        double found = mean();
        assertThat(result()).contains("\"also_passages\" : 2").doesNotContain("exclude_self");
        assertThat(eval(data, "--exclude-self").ok().err()).contains("2 queries");
        assertThat(mean()).isEqualTo(1).isGreaterThan(found);
        assertThat(result()).contains("\"also_passages\" : 2", "\"exclude_self\" : true");
        Cli.run("eval --model bm25 --draws 0 --dataset", data.folder(), "--out", out())
                .fails(1, "leaves out", "--overwrite");
        data.write("dataset.yaml", "name: field\nlanguage: en\nbucketing: relative:5\nexclude_self: true\n");
        assertThat(Cli.run("eval --model bm25 --draws 0 --dataset", data.folder(), "--out", out())
                        .ok()
                        .err())
                .contains("finished before");
    }

    @Test
    void aCopyOfSuchABenchmarkSaysItToo() throws IOException {
        TinyBenchmark data = queriesThatArePassages();
        Path built = temp.resolve("built");
        Cli.run("data build beir --exclude-self --input", data.folder(), "--out", built)
                .ok();
        assertThat(built.resolve("dataset.yaml")).content().contains("exclude_self: true");
        assertThat(built.resolve("queries.jsonl")).content().doesNotContain("excluded_ids");
        Cli.run("eval --model bm25 --draws 0 --dataset", built, "--out", out()).ok();
        assertThat(mean()).isEqualTo(1);
    }

    @Test
    void aRelevantPassageOfTheSameIdentifierIsNotTheQuery() throws IOException {
        TinyBenchmark data = queriesThatArePassages();
        data.write(QRELS, HEADER + "q1\tq1\t1\nq2\tp2\t1\n");
        assertThat(eval(data).ok().err()).contains("1 query of field");
        eval(data, "--exclude-self").fails(1, "queries.jsonl:1", "q1", "--exclude-self");
    }

    @Test
    void scoresThatContradictRanksCarryANote() throws IOException {
        TinyBenchmark data = benchmark("data");
        StringBuilder lines = new StringBuilder();
        for (int query = 1; query <= 4; query++) {
            lines.append("q" + query + " Q0 p" + query + " 1 0.1 l2\n");
            lines.append("q" + query + " Q0 p" + (query % 4 + 1) + " 2 0.7 l2\n");
        }
        Path run = Files.writeString(temp.resolve("run.trec"), lines);
        assertThat(score(data, run).ok().err()).contains("rise with the rank for 4 queries", "--by-rank");
        assertThat(mean()).isLessThan(0.7);
        assertThat(result()).contains("\"queries_with_rising_scores\" : 4.0");
        assertThat(score(data, run, "--by-rank").ok().err()).doesNotContain("note");
        assertThat(mean()).isEqualTo(1);
        Files.writeString(run, lines.toString().replaceFirst("0.1", "0.9"));
        assertThat(score(data, run).ok().err()).contains("rise with the rank for 3 queries");
    }

    @Test
    void aRunOfMoreQueriesIsScoredOnTheBenchmarks() throws IOException {
        TinyBenchmark data = benchmark("data");
        Path run = Files.writeString(
                temp.resolve("run.trec"), "q1 Q0 p1 1 3 x\nq2 Q0 p2 1 3 x\nq8 Q0 elsewhere 1 3 x\nq7 Q0 p1 1 3 x\n");
        assertThat(score(data, run, "--partial").ok().err()).contains("2 queries of the run");
        assertThat(mean()).isEqualTo(0.5);
        assertThat(result()).contains("\"queries_not_judged\" : 2.0");
        Files.writeString(run, "q1 Q0 p1 1 3 x\nq8 Q0 else 1 3 x\nq9 Q0 else 1 3 x\n");
        score(data, run, "--partial").fails(1, "run.trec", "3 queries", "has 1 of them and judges 1", "q8");
        Files.writeString(run, "q1 Q0 p1 1 3 x\n");
        score(data, run, "--partial").ok();
        assertThat(mean()).isEqualTo(0.25);
    }

    @Test
    void judgementsOfWhatIsAbsentAreRefusedOrLeftOut() throws IOException {
        TinyBenchmark data = benchmark("data");
        data.write(QRELS, HEADER + "q1\tgone\t1\nq2\tp2\t1\nq2\tgone\t1\nq3\tp3\t1\nq9\tp1\t1\n");
        eval(data).fails(1, "test.tsv:2", "gone", "2 judgements", "1 of absent queries", "--missing-judged");
        assertThat(eval(data, "--missing-judged drop").ok().err()).contains("2 judgements", "1 query");
        assertThat(mean()).isEqualTo(2 / 3.0);
        assertThat(result()).contains("\"absent_passages\" : 2", "\"absent_queries\" : 1", "\"unanswerable\" : 1");
        assertThat(Cli.run("report show", "q2", out()).ok().out()).contains("bridge");
        Path built = temp.resolve("built");
        Cli.run("data build beir --input", data.folder(), "--missing-judged drop --out", built)
                .ok();
        assertThat(built.resolve("dataset.yaml")).content().contains("2 of absent passages", "1 query");
        assertThat(built.resolve(QRELS)).content().isEqualTo(HEADER + "q2\tp2\t1\nq3\tp3\t1\n");
        Cli.run("eval --model bm25 --draws 0 --dataset", built, "--overwrite --out", out())
                .ok();
        assertThat(mean()).isEqualTo(2 / 3.0);
        eval(data, "--missing-judged keep").fails(2, "--missing-judged", "drop");
        data.write(QRELS, HEADER + "q1\tgone\t1\n");
        eval(data, "--missing-judged drop").fails(1, "test.tsv", "another benchmark");
    }

    @Test
    void gradesAndRepeatedJudgements() throws IOException {
        TinyBenchmark data = benchmark("data");
        data.write(QRELS, HEADER + "q1\tp1\t1.0\nq1\tp1\t1\nq2\tp2\t1\n");
        assertThat(eval(data).ok().err()).contains("1 repeated judgement");
        assertThat(result()).contains("\"repeated\" : 1");
        data.write(QRELS, HEADER + "q1\tp1\t1\nq1\tp1\t2\n");
        eval(data).fails(1, "test.tsv:3", "score", "test.tsv:2");
        data.write(QRELS, HEADER + "q1\tp1\t0.5\n");
        eval(data).fails(1, "test.tsv:2", "0.5", "whole numbers");
    }

    @Test
    void identifiersThatLookEqualAreExplained() throws IOException {
        TinyBenchmark data = benchmark("data");
        data.write("corpus.jsonl", TinyBenchmark.row("cafe\u0301", "apple", ""));
        data.write(QRELS, HEADER + "q1\tcaf\u00e9\t1\n");
        eval(data).fails(1, "test.tsv:2", "NFC");
        data.write(QRELS, HEADER + "\"q1\"\tp1\t1\n");
        eval(data).fails(1, "test.tsv:2", "CSV");
        Path run = Files.writeString(temp.resolve("run.trec"), "q1 Q0 'p1' 1 3 x\n", StandardCharsets.UTF_8);
        score(benchmark("other"), run).fails(1, "run.trec:1", "CSV");
    }

    private void gives(TinyBenchmark data, String qrels) {
        data.write(QRELS, qrels);
        eval(data).ok();
        assertThat(mean()).as(qrels).isEqualTo(1);
    }

    @Test
    void judgementsComeInManyForms() {
        TinyBenchmark data = benchmark("data");
        gives(data, "q1\tp1\t1\nq2\tp2\t1\n");
        gives(data, "q1 0 p1 1\r\nq2  0\tp2  1\r\n".replace('\t', ' '));
        gives(data, "q1\t0\tp1\t1\nq2\tQ0\tp2\t1\n");
        gives(data, "\uFEFFquery-id\tcorpus-id\tscore\tsource\nq1\tp1\t1\ta\n");
        gives(data, "query_id doc_id relevance iteration\nq1 p1 1 0\n");
        data.without(QRELS)
                .write("qrels/test.jsonl", "{\"query-id\": \"q1\", \"corpus-id\": \"p1\", \"score\": 1.0, \"x\": 0}\n");
        eval(data).ok();
        assertThat(mean()).isEqualTo(1);
        data.without("qrels/test.jsonl").write(QRELS, "q1\tp1\t1\t7\n");
        eval(data).fails(1, "test.tsv:1", "4 columns", "header");
        data.write(QRELS, "question\tanswer\tscore\nq1\tp1\t1\n");
        eval(data).fails(1, "test.tsv:1", "query-id, corpus-id and score");
        data.write(QRELS, "q1 0 p1 1\nq2 0 p2\n");
        eval(data).fails(1, "test.tsv:2", "3 columns");
    }

    @Test
    void theLayoutsOfMtebAndTheHubAreRead() throws IOException {
        TinyBenchmark data = benchmark("data");
        List<String> corpus = Files.readAllLines(data.folder().resolve("corpus.jsonl"));
        String first = String.join("\n", corpus.subList(0, 2)) + "\n";
        String second = String.join("\n", corpus.subList(2, 4)) + "\n";
        String queries = Files.readString(data.folder().resolve("queries.jsonl"));
        data.without("corpus.jsonl").without("queries.jsonl").without(QRELS);
        data.write("corpus/test-00000-of-00002.jsonl", first.replace("_id", "id"))
                .write("corpus/test-00001-of-00002.jsonl", second.replace("_id", "id"))
                .write("queries/test-00000-of-00001.jsonl", queries.replace("_id", "id"))
                .write(
                        "qrels/test-00000-of-00001.jsonl",
                        "{\"query-id\": \"q3\", \"corpus-id\": \"p3\", \"score\": 1}\n")
                .write(
                        "qrels/dev-00000-of-00001.jsonl",
                        "{\"query-id\": \"q1\", \"corpus-id\": \"p3\", \"score\": 1}\n");
        eval(data).ok();
        assertThat(mean()).isEqualTo(1);
        assertThat(result()).contains("corpus/test-00001-of-00002.jsonl");
        Cli.run("eval --model bm25 --draws 0 --dataset", data.folder(), "--split dev --overwrite --out", out())
                .ok();
        assertThat(mean()).isZero();
        Path built = temp.resolve("built");
        Cli.run("data build beir --input", data.folder(), "--out", built).ok();
        assertThat(Files.readAllLines(built.resolve("corpus.jsonl"))).hasSize(4);
        data.write("corpus/train-00000-of-00001.jsonl", first)
                .write("corpus/dev-00000-of-00001.jsonl", first)
                .without("corpus/test-00000-of-00002.jsonl")
                .without("corpus/test-00001-of-00002.jsonl");
        eval(data).fails(1, "corpus", "dev, train", "--split");
    }

    private Path bytes(String name, int... first) throws IOException {
        byte[] bytes = new byte[64];
        for (int i = 0; i < first.length; i++) {
            bytes[i] = (byte) first[i];
        }
        return Files.write(temp.resolve(name), bytes);
    }

    @Test
    void textIsRecognisedByItsFirstBytes() throws IOException {
        TinyBenchmark data = benchmark("data");
        Path corpus = data.folder().resolve("corpus.jsonl");
        String text = Files.readString(corpus);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(corpus))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        eval(data).ok();
        Path packed = data.folder().resolve("corpus.jsonl.xz");
        try (OutputStream out = new XZOutputStream(Files.newOutputStream(packed), new LZMA2Options())) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        eval(data).fails(1, "keep one of corpus.jsonl, corpus.jsonl.xz");
        Files.delete(corpus);
        eval(data).ok();
        Files.delete(packed);
        Files.writeString(corpus, "\uFEFF" + text, StandardCharsets.UTF_8);
        eval(data).ok();
        Files.writeString(corpus, "\uFEFF" + text, StandardCharsets.UTF_16LE);
        eval(data).fails(1, "corpus.jsonl", "UTF-16", "iconv -f UTF-16 -t UTF-8 corpus.jsonl");
        Files.writeString(corpus, text, StandardCharsets.UTF_16BE);
        eval(data).fails(1, "corpus.jsonl", "UTF-16", "iconv -f UTF-16BE");
        score(benchmark("arrays"), bytes("x.npy", 0x93, 'N', 'U', 'M', 'P', 'Y'))
                .fails(1, "x.npy", "numpy");
        score(benchmark("pickles"), bytes("x.pkl", 0x80, 4)).fails(1, "x.pkl", "pickle");
        score(benchmark("arrows"), bytes("x.arrow", 0xFF, 0xFF, 0xFF, 0xFF)).fails(1, "x.arrow", "to_parquet");
        score(benchmark("other"), bytes("run.parq", 'P', 'A', 'R', '1')).fails(1, "run.parq", "Parquet");
        score(benchmark("other"), bytes("run.lz4", 0x04, 0x22, 0x4D, 0x18)).fails(1, "run.lz4", "lz4");
        score(benchmark("other"), bytes("run.zip", 'P', 'K', 3, 4)).fails(1, "run.zip", "zip");
    }
}

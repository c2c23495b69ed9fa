package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Checksums;
import io.posbias.base.process.ExitCode;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.study.build.StandInModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConstructTest {
    @TempDir
    Path temp;

    /** Two short documents and two of three times as many sentences, each word in one of them only. */
    @BeforeEach
    void documents() throws IOException {
        Files.writeString(temp.resolve("small.yaml"), """
            name: small
            bucketing: "labels:beginning,middle,end by tokens:%d"
            stages:
              - sample: {}
              - split: {by: thirds, borders: sentences, unit: words}
              - ask: {model: nobody, without-model: extractive, prompt: question-segment}
              - tag: {of: part}
              - agree: {models: [bm25], borders: sentences, unit: words}
              - write: {}
            """.formatted(250));
        Files.createDirectories(temp.resolve("in"));
        int from = 0;
        for (int document = 0; document < 4; document++) {
            int sentences = document < 2 ? 3 : 9;
            int first = from;
            String text = IntStream.range(0, sentences)
                    .mapToObj(sentence -> sentence(first + sentence))
                    .collect(Collectors.joining(" "));
            Files.writeString(temp.resolve("in/d" + document + ".txt"), text);
            from += sentences;
        }
    }

    private static String sentence(int number) {
        String words = IntStream.range(0, 12)
                .mapToObj(word -> word(17 * (number * 12 + word) + 5))
                .collect(Collectors.joining(" "));
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".";
    }

    private static String word(int number) {
        return IntStream.of(number, number / 60, number / 3600)
                .mapToObj(part -> "" + "bdfgklmnprst".charAt(part % 12) + "aeiou".charAt(part / 12 % 5))
                .collect(Collectors.joining());
    }

    private Cli.Ended construct(String out, String... sets) {
        Object[] settings = Stream.of(sets).map(set -> "--set " + set).toArray();
        return Cli.run(
                "construct",
                temp.resolve("small.yaml"),
                "--input",
                temp.resolve("in"),
                "--out",
                temp.resolve(out),
                settings);
    }

    @Test
    void aBenchmarkIsAnInputByItsName() throws IOException {
        Files.writeString(
                temp.resolve("rows.jsonl"),
                IntStream.range(0, 9)
                        .mapToObj(sentence -> "{\"content\": \""
                                + IntStream.range(0, 9)
                                        .mapToObj(ConstructTest::sentence)
                                        .collect(Collectors.joining(" "))
                                + "\", \"question\": \"" + sentence(sentence) + "\", \"question_level\": \"simple\","
                                + " \"span_class\": [\""
                                + List.of("beginning", "middle", "end").get(sentence / 3)
                                + "\"]}\n")
                        .collect(Collectors.joining()));
        Path home = temp.resolve("home");
        Cli.run(
                        "data build fineweb-posq --name fineweb-posq-raw --language en --input",
                        temp.resolve("rows.jsonl"),
                        "--out",
                        home.resolve("datasets/fineweb-posq-raw"))
                .ok();
        Files.writeString(temp.resolve("labelled.yaml"), """
                name: labelled
                language: en
                stages:
                  - sample: {}
                  - questions: {of: labels}
                  - agree: {models: [bm25], borders: sentences}
                  - write: {}
                """);
        Cli.run(
                        Map.of("POSBIAS_HOME", home.toString()),
                        "construct",
                        temp.resolve("labelled.yaml"),
                        "--input fineweb-posq-raw --out",
                        temp.resolve("out"))
                .ok();
        assertThat(DatasetReader.open(temp.resolve("out/benchmark")).queries()).hasSize(9);
        Cli.run("construct", temp.resolve("labelled.yaml"), "--input no-such --out", temp.resolve("other"))
                .fails(2, "--input no-such: file or folder not found");
    }

    private String eval(String out) {
        Cli.Ended ended = Cli.run(
                        "eval --model bm25 --dataset",
                        temp.resolve(out + "/benchmark"),
                        "--draws 0 --out",
                        temp.resolve("r" + out),
                        "--overwrite")
                .ok();
        return ended.out().replaceAll("\\s*\n\\s+", " ").replaceAll(" +", " ");
    }

    @Test
    void bandsOfLengthAreThoseOfTheTokenizer() {
        assertThat(construct("a", "write.tokens=all-minilm-l6-v2").code()).isZero();
        List<String> asked = DatasetReader.open(temp.resolve("a/benchmark")).judgedQueries().stream()
                .map(Query::id)
                .toList();
        long few = asked.stream().filter(id -> id.matches("d[01].*")).count();
        assertThat(few).isBetween(1L, asked.size() - 1L);
        assertThat(eval("a").lines())
                .anyMatch(line -> line.matches("Q1 queries .* " + few))
                .anyMatch(line -> line.matches("Q2 queries .* " + (asked.size() - few)))
                .noneMatch(line -> line.contains("pos_token_length"));
    }

    /** The record of the stages has the digest of a file with half of its lines. */
    @Test
    void aStageWithoutItsCandidatesIsMadeAgain() throws IOException {
        construct("a").ok();
        Path stage = temp.resolve("a/stages/02-split.jsonl");
        byte[] whole = Files.readAllBytes(stage);
        String before = Checksums.sha256(stage);
        List<String> lines = Files.readAllLines(stage);
        Files.write(stage, lines.subList(0, lines.size() / 2));
        Path record = temp.resolve("a/pipeline.yaml");
        Files.writeString(record, Files.readString(record).replace(before, Checksums.sha256(stage)));
        construct("a").ok();
        assertThat(stage).hasBinaryContent(whole);
    }

    @Test
    void aBenchmarkWithoutLengthsSaysSo() throws IOException {
        assertThat(construct("b").code()).isZero();
        assertThat(eval("b")).contains("no query has pos_token_length: Q1, Q2 are empty\n");
        Path queries = temp.resolve("b/benchmark/queries.jsonl");
        Files.writeString(
                queries, Files.readString(queries).replaceFirst("\"pos_char_length\"", "\"pos_token_length\":9,$0"));
        assertThat(Cli.run("data verify --write", temp.resolve("b/benchmark")).code())
                .isZero();
        assertThat(eval("b")).containsPattern("\n\\d+ queries in no band .*_token_length\n");
    }

    @Test
    void aWrongSettingIsAUsageError() {
        construct("c", "sample.n=abc").fails(ExitCode.USAGE, "--set sample.n", "stages[0].sample.n", "\"abc\"");
    }

    @Test
    void scoresPrintWithFourDigits() {
        assertThat(construct("d").code()).isZero();
        String shown = Cli.run("construct show", temp.resolve("d"), "--sample 3 --stage agree")
                .out();
        assertThat(shown).containsPattern("bm25 \\d+\\.\\d{4} \\d+\\.\\d{4} \\d+\\.\\d{4}\n");
    }

    @Test
    void rolesHaveTheirOwnModels() throws IOException {
        Path pipeline = Files.writeString(temp.resolve("roles.yaml"), """
                name: roles
                language-models: {writer: {}, judge: {}}
                stages:
                  - sample: {}
                  - split: {by: thirds}
                  - ask: {model: writer, prompt: question-segment}
                  - tag: {of: target}
                  - judge: {model: judge}
                """);
        Object[] command = {
            "construct", pipeline, "--input", temp.resolve("in"), "--out", temp.resolve("roles"), "--sampling", "greedy"
        };
        try (StandInModel writer = new StandInModel(StandInModel.Manner.GOOD);
                StandInModel judge = new StandInModel(StandInModel.Manner.GOOD)) {
            Cli.Ended ended = Cli.run(Stream.concat(
                            Stream.of(command),
                            Stream.of(
                                    "--llm",
                                    writer.address(),
                                    "--llm-model",
                                    "both",
                                    "--llm",
                                    "judge=" + judge.address()))
                    .toArray());
            assertThat(ended.code()).as(ended.err()).isZero();
            assertThat(writer.calls()).containsOnlyKeys("question-segment");
            assertThat(judge.calls()).containsOnlyKeys("relevance");
            assertThat(Files.readString(temp.resolve("roles/pipeline.yaml")))
                    .contains("model: \"both\"", writer.address(), judge.address());
        }
        Cli.run(Stream.concat(Stream.of(command), Stream.of("--llm", "jugde=http://localhost:1", "--llm-model", "m"))
                        .toArray())
                .fails(ExitCode.USAGE, "jugde", "judge");
    }

    /** A benchmark of four passages and a question. */
    private Path benchmark(String text) {
        return TinyBenchmark.in(temp.resolve("benchmark"))
                .write(
                        "corpus.jsonl",
                        IntStream.range(0, 4)
                                .mapToObj(
                                        i -> "{\"_id\": \"p%d\", \"text\": \"%s\"}\n".formatted(i, text.repeat(20) + i))
                                .collect(Collectors.joining()))
                .write(
                        "queries.jsonl",
                        "{\"_id\": \"q\", \"text\": \"%s\", \"pos_char_span\": [0, 2]}\n".formatted(text))
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\tp1\t1\n")
                .folder();
    }

    /** @param role empty for the model of all roles, or ROLE= */
    private Cli.Ended translate(Path input, StandInModel model, String role, Object... options) {
        return Cli.run(
                "construct posir-translated --input",
                input,
                "--out",
                temp.resolve("translated"),
                "--llm",
                role + model.address(),
                "--llm-model",
                role + "m",
                "--set write.tokens=all-minilm-l6-v2 --set write-posir.tokens=all-minilm-l6-v2"
                        + " --set clean.unit=characters",
                options);
    }

    @Test
    void aWrongLanguageIsRefusedBeforeTheFirstCall() {
        try (StandInModel model = new StandInModel(StandInModel.Manner.GOOD)) {
            Cli.Ended ended = translate(benchmark("北京是中华人民共和国的首都。"), model, "");
            assertThat(ended.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(ended.err()).contains("Han", "--language zh or ja").doesNotContain("sample: kept");
            assertThat(model.calls()).isEmpty();
        }
    }

    @Test
    void aForecastRefusesMissingPersonas() {
        Cli.run(
                        "construct training-positions --dry-run --set configure.encoder=bm25 --set",
                        "configure.personas=" + temp.resolve("nobody.jsonl"),
                        "--input",
                        temp.resolve("in"),
                        "--out",
                        temp.resolve("out"))
                .fails(1, "nobody.jsonl", "not found");
    }

    @Test
    void aRoleWithoutAServiceIsRefusedBeforeTheFirstCall() {
        try (StandInModel model = new StandInModel(StandInModel.Manner.GOOD)) {
            Cli.Ended ended = translate(benchmark("Arlen is a town. "), model, "translator=");
            assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
            assertThat(ended.err()).contains("'checker'").doesNotContain("sample: kept");
            assertThat(model.calls()).isEmpty();
        }
    }

    /** The stand-in marks each word and keeps its letters: the documents of the first language are all that is asked for. */
    @Test
    void aModelThatDoesNotTranslateIsAskedForOneLanguage() {
        try (StandInModel model = new StandInModel(StandInModel.Manner.GOOD)) {
            Cli.Ended ended = translate(benchmark("Arlen is a town. "), model, "", "--set translate.languages=[ar,ru]");
            assertThat(ended.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(ended.err()).contains("Latin", "is ar", "'translator'");
            assertThat(model.calls()).containsOnly(Map.entry("translation", 4));
        }
    }

    @Test
    void rowsOfFinewebPosqAreBuiltFromTheirFolder() {
        assertThat(construct("e", "write.format=fineweb-posq").code()).isZero();
        Cli.Ended built = Cli.run(
                "data",
                "build",
                "fineweb-posq",
                "--input",
                temp.resolve("e/fineweb-posq"),
                "--out",
                temp.resolve("built"));
        assertThat(built.code()).as(built.err()).isZero();
        assertThat(DatasetReader.open(temp.resolve("built")).passages().size()).isEqualTo(4);
    }
}

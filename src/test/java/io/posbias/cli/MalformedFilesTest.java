package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.faults.Judge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files that are not JSON or YAML, or hold another shape, in all commands that read them: one line in posbias's own words.
 * {@code MutatedFilesTest} breaks sound files of all kinds.
 */
class MalformedFilesTest {
    private static final List<String> JSON = List.of(
            "",
            "[1, 2]",
            "3",
            "null",
            "{",
            "{\"a\": }",
            "{\"a\": 1, \"a\": 2}",
            "{\"a\": NaN}",
            "{\"a\": \"\\q\"}",
            "{\"a\": 01}",
            "{\"schema\": \"posbias/result/9\", \"results\": {\"a\": [3]}}",
            "{\"data\": [{\"paragraphs\": 3}], \"results\": [4], \"modules\": \"x\"}",
            "[".repeat(2000),
            "<html>");

    private static final List<String> YAML = List.of(
            "",
            "- a",
            "a",
            "a: b: c",
            "a:\n\t- b",
            "a: [1",
            "a: *b",
            "a: \"x",
            "a: 1\na: 2",
            "kind: [bm25]\nname: {a: 1}",
            "kind: bm25\nname: x\nk1: [1]",
            "%x",
            "? [a]: b");

    @TempDir
    Path temp;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            report FILE                                                 | result.json
            compare FILE FILE                                           | result.json
            plan --pilot DIR                                            | result.json
            gate --baseline DIR --result DIR                            | result.json
            pool DIR                                                    | result.json
            score --dataset tiny --out out --run FILE                   | run.json
            data build squad-posq --out built --input FILE              | squad.json
            data build windows --out built --input FILE                 | squad.json
            eval --model bm25 --draws 10 --out out --dataset DIR        | corpus.jsonl
            eval --dataset tiny --draws 10 --out out --model DIR        | config.json
            models info DIR                                             | modules.json
            eval --dataset tiny --draws 10 --out out --model FILE       | model.yaml
            eval --model bm25 --draws 10 --out out --dataset DIR        | dataset.yaml
            run --results out FILE                                      | experiment.yaml
            construct --input tiny/corpus.jsonl --out out FILE          | pipeline.yaml
            report --layout FILE tiny                                   | layout.yaml
            """)
    void areRefusedInOneLineOfOurOwnWords(String command, String name) throws IOException {
        Path tiny = TinyBenchmark.in(temp.resolve("tiny")).folder();
        Path folder = Files.createDirectories(temp.resolve("folder"));
        Posbias posbias = new Posbias(temp, Map.of("HF_HUB_OFFLINE", "1"));
        int failed = 0;
        for (String content : name.endsWith(".yaml") ? YAML : JSON) {
            if (name.matches("corpus.jsonl|dataset.yaml")) {
                TinyBenchmark.in(folder);
            }
            Path file = Files.writeString(folder.resolve(name), content);
            Cli.Ended ended = posbias.run((Object[]) command.replace("FILE", file.toString())
                    .replace("DIR", folder.toString())
                    .replace("tiny", tiny.toString())
                    .replace(" out", " " + temp.resolve("out"))
                    .replace(" built", " " + temp.resolve("built"))
                    .split(" "));
            assertThat(Judge.JACKSON.matcher(ended.err()).find())
                    .as(content + " -> " + ended.err())
                    .isFalse();
            assertThat(ended.err()).as(content).doesNotContain("this is a bug", "\tat ", "java.", "Exception");
            failed += ended.code() == 0 ? 0 : 1;
        }
        assertThat(failed).as("refused").isGreaterThan(5);
    }
}

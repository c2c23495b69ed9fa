package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class CompletionTest {
    private static final String ASK = """
            source ./completion
            COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _complete_posbias
            printf '%s\\n' "${COMPREPLY[@]}" | sed 's/ $//'
            """;

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void theScriptIsSound(String shell) throws IOException, InterruptedException {
        assertThat(asked(shell, "-n", "completion")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "posbias ev|eval",
                "posbias data build fine|fineweb-posq",
                "posbias eval --intervals --pl|--placing --places",
                "posbias eval --model all-|all-minilm-l6-v2 all-minilm-l6-v2-512 all-minilm-l6-v2-int8",
                "posbias models info colb|colbertv2.0 colbertv2.0-512",
                "posbias eval --dataset posir/eng-Latn/bio|posir/eng-Latn/biomedicine",
                "posbias eval --measures RR|RR@10",
                "posbias run posir-|posir-table10 posir-table2",
                "posbias eval --format l|latex",
                "posbias report figures --output mi|mine mine.yaml",
                "posbias report mi|mine mine.yaml",
            })
    void wordsAreCompleted(String typed, String expected) throws IOException, InterruptedException {
        Files.createDirectories(temp.resolve("mine"));
        Files.writeString(temp.resolve("mine.yaml"), "");
        assertThat(asked("bash", "-c", ASK, "bash", typed).lines()).containsExactlyInAnyOrder(expected.split(" ", -1));
    }

    private String asked(String... command) throws IOException, InterruptedException {
        String shell = command[0];
        Assumptions.assumeTrue(isThere(shell), () -> "skipped: there is no " + shell);
        Files.writeString(
                temp.resolve("completion"), Cli.run("completion", shell).out());
        ProcessBuilder process =
                new ProcessBuilder(command).directory(temp.toFile()).redirectErrorStream(true);
        process.environment().put("HOME", temp.toString());
        Process started = process.start();
        String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        started.waitFor();
        return output.replaceAll("(?m)^.*: compopt: .*\\R", "");
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}

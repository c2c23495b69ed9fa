package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts in their shells, which are asked what they would complete. */
@Tag("slow")
class CompletionTest {
    /** Prints what bash would replace the last word by. */
    private static final String BASH = """
            source completion
            COMP_LINE=$1 COMP_POINT=${#1}
            _posbias
            printf '%s\\n' "${COMPREPLY[@]}" | sed 's/ $//'
            """;

    /** zsh has no way to ask: its builtins are replaced by functions that print what they are given. */
    private static final String ZSH = """
            compdef() { }
            source completion
            compadd() { while [[ $1 != -- ]]; do shift; done; shift; (( $# )) && print -l -- "$@" }
            compset() { kept=${2//\\\\/} }
            _files() {
                local rest=${PREFIX#$kept}
                local -a found
                if [[ $1 == -/ ]]; then found=($rest*(N/)); found=($^found/); else found=($rest*(N)); fi
                print -l -- $kept$^found
            }
            words=("${(@s: :)1}") CURRENT=$#words PREFIX=$words[-1]
            _posbias
            """;

    private static final String FISH = "source completion; complete -C $argv[1] | string replace -r '\\t.*' ''";

    @TempDir
    Path temp;

    @BeforeEach
    void files() throws IOException {
        Files.createDirectories(temp.resolve("mine"));
        Files.writeString(temp.resolve("mine.yaml"), "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void scriptsAreSound(String shell) throws IOException, InterruptedException {
        assertThat(asked(shell, List.of("-n", "completion"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "posbias ev|eval",
                "posbias data b|build",
                "posbias data build fine|fineweb-posq",
                "posbias help data sam|sample",
                "posbias eval --mo|--model",
                "posbias eval --intervals --pl|--placing --places",
                "posbias eval --content-fixed --pl|--placing --places",
                "posbias eval --model all-|all-minilm-l6-v2 all-minilm-l6-v2-512 all-minilm-l6-v2-int8",
                "posbias eval --model bm25,bge-m3-c|bm25,bge-m3-colbert",
                "posbias eval --model=bm25-l|--model=bm25-lucene",
                "posbias models info colb|colbertv2.0 colbertv2.0-512",
                "posbias eval --dataset posir/eng-Latn/bio|posir/eng-Latn/biomedicine",
                "posbias eval --dataset posir/ita|posir/ita-Latn posir/ita-Latn/ posir/ita-Latn-eng-Latn "
                        + "posir/ita-Latn-eng-Latn/",
                "posbias eval --measures nDCG@10,RR|nDCG@10,RR@10",
                "posbias run posir-|posir-table10 posir-table2",
                "posbias eval --format l|latex",
                "posbias eval --first-stage bm25-|bm25-lucene",
                "posbias completion f|fish",
                "posbias eval --k 1|",
            })
    void wordsAreCompletedInAllShells(String typed, String expected) throws IOException, InterruptedException {
        // bash replaces only what comes after the =.
        inAllShells(
                typed,
                shell -> expected == null
                        ? ""
                        : shell.equals("bash") ? expected.replaceFirst("^--model=", "") : expected,
                word -> word);
    }

    /** Folders where only a folder makes sense, and files beside names. */
    @ParameterizedTest
    @CsvSource({
        "posbias eval --output mi, mine/",
        "posbias report mi, mine mine.yaml",
        "posbias eval --model mi, mine mine.yaml",
        "'posbias eval --model bm25,mi', 'bm25,mine bm25,mine.yaml'",
    })
    void pathsAreCompletedInAllShells(String typed, String expected) throws IOException, InterruptedException {
        inAllShells(typed, shell -> expected, word -> expected.contains("/") ? word : word.replaceFirst("/$", ""));
    }

    /** What is typed is completed to the words expected of a shell, after something is done to each of the shell's. */
    private void inAllShells(String typed, Function<String, String> expected, UnaryOperator<String> word)
            throws IOException, InterruptedException {
        for (String shell : List.of("bash", "zsh", "fish")) {
            if (isThere(shell)) {
                String words = expected.apply(shell);
                assertThat(completed(shell, typed).stream().map(word))
                        .as(shell + ": " + typed)
                        .containsExactlyInAnyOrder(words.isEmpty() ? new String[0] : words.split(" ", -1));
            }
        }
    }

    private List<String> completed(String shell, String typed) throws IOException, InterruptedException {
        List<String> arguments = switch (shell) {
            case "bash" -> List.of("-c", BASH, "bash", typed);
            case "zsh" -> List.of("-f", "-c", ZSH, "zsh", typed);
            default -> List.of("-N", "-c", FISH, typed);
        };
        return asked(shell, arguments).lines().filter(line -> !line.isEmpty()).toList();
    }

    /** Runs a shell in the temporary folder, where the script is, and gives all that it prints. */
    private String asked(String shell, List<String> arguments) throws IOException, InterruptedException {
        Assumptions.assumeTrue(isThere(shell), () -> "skipped: there is no " + shell);
        Path script = temp.resolve("completion");
        Files.writeString(script, Cli.run("completion", shell).out());
        ProcessBuilder process = new ProcessBuilder(
                        Stream.concat(Stream.of(shell), arguments.stream()).toList())
                .directory(temp.toFile())
                .redirectErrorStream(true);
        process.environment().put("HOME", temp.toString());
        Process started = process.start();
        String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        started.waitFor();
        return output.replaceAll("(?m)^bash: (line \\d+: )?compopt: .*\\R", "");
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}

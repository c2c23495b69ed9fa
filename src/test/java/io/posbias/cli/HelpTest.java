package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Sessions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class HelpTest {
    @TempDir
    Path temp;

    /** All commands, the root first. */
    static Stream<CommandLine> commands() {
        List<CommandLine> all = new ArrayList<>();
        collect(PosbiasCommand.commandLine(Sessions.in(Path.of("unused"))), all);
        return all.stream();
    }

    private static void collect(CommandLine command, List<CommandLine> into) {
        into.add(command);
        command.getSubcommands().values().forEach(sub -> collect(sub, into));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasADescriptionAndAnExampleAndDescribesItsOptions(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        String help = command.getUsageMessage();
        assertThat(help).as(name).containsPattern("(?s)Example.*posbias [a-z]");
        // Longer examples would be broken in the middle and could not be copied.
        assertThat(command.getCommandSpec().usageMessage().footer())
                .as(name)
                .filteredOn(line -> line.startsWith("  posbias"))
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
        assertThat(command.getCommandSpec().usageMessage().description())
                .as(name)
                .isNotEmpty();
        for (OptionSpec option : command.getCommandSpec().options()) {
            assertThat(option.description())
                    .as(name + " " + option.longestName())
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandAnswersHelp(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        List<String> words = new ArrayList<>(List.of(name.split(" ", -1)));
        words.removeFirst();
        words.add("--help");
        Cli.Ended ended = Cli.run(words.toArray());
        assertThat(ended.code()).isZero();
        assertThat(ended.out()).startsWith("Usage: " + name);
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void aCommandWithoutItsVerbSaysSo() {
        Cli.Ended root = Cli.run();
        assertThat(root.code()).isEqualTo(2);
        assertThat(root.err()).isEqualTo("posbias: Missing command\nTry 'posbias --help'.\n");
        assertThat(Cli.run("data").err()).isEqualTo("posbias data: Missing command\nTry 'posbias data --help'.\n");
    }

    @Test
    void misspeltCommandsAreSuggested() {
        Cli.Ended ended = Cli.run("evla");
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains("Did you mean eval");
    }

    @Test
    void theVersionIsOneLine() {
        assertThat(Cli.run("--version").out()).matches("posbias \\S+\\R");
        assertThat(Cli.run("eval", "--version").out()).matches("posbias \\S+\\R");
    }

    @Test
    void verboseShowsTheCause() {
        Cli.Ended plain = Cli.run("report", "none.json");
        Cli.Ended verbose = Cli.run("report", "none.json", "--verbose");
        assertThat(plain.err()).isEqualTo("posbias: cannot read none.json: no such file\n");
        assertThat(verbose.err()).startsWith(plain.err()).contains("\tat io.posbias.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void completionScriptsAreSoundAndKnowTheCommands(String shell) throws IOException, InterruptedException {
        Cli.Ended ended = Cli.run("completion", shell);
        assertThat(ended.out()).contains("squad-posq", "--with-published", "--overwrite");
        Path script = Files.writeString(temp.resolve("completion"), ended.out());
        Assumptions.assumeTrue(isThere(shell), () -> "skipped: there is no " + shell);
        Process check = new ProcessBuilder(shell, "-n", script.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).as(output).isZero();
    }

    @Test
    void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
        Assumptions.assumeTrue(isThere("bash"), "skipped: there is no bash");
        Files.writeString(
                temp.resolve("completion"), Cli.run("completion", "bash").out());
        String ask =
                "source completion; COMP_WORDS=(posbias data b); COMP_CWORD=2; _complete_posbias; echo \"${COMPREPLY[@]}\";"
                        + " COMP_WORDS=(posbias eval --mo); COMP_CWORD=2; _complete_posbias; echo \"${COMPREPLY[@]}\"";
        Process bash =
                new ProcessBuilder("bash", "-c", ask).directory(temp.toFile()).start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        bash.waitFor();
        assertThat(output).isEqualTo("build\n--model\n");
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}

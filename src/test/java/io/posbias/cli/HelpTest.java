package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class HelpTest {
    static Stream<CommandLine> commands() {
        List<CommandLine> all = new ArrayList<>();
        collect(root(), all);
        return all.stream();
    }

    private static CommandLine root() {
        return PosbiasCommand.commandLine(Sessions.in(Path.of("unused")), List.of("completion"));
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
        assertThat(command.getCommandSpec().options())
                .as(name)
                .filteredOn(option -> !option.hidden())
                .allSatisfy(option -> assertThat(option.description()).isNotEmpty());
    }

    /** The list of commands is read without their classes. */
    @Test
    void theListOfCommandsSaysWhatTheirClassesSay() {
        CommandLine listed = PosbiasCommand.commandLine(Sessions.in(Path.of("unused")), List.of());
        assertThat(listed.getSubcommands().keySet())
                .containsExactlyElementsOf(root().getSubcommands().keySet());
        root().getSubcommands().forEach((name, command) -> {
            CommandLine.Model.UsageMessageSpec own = command.getCommandSpec().usageMessage();
            CommandLine.Model.UsageMessageSpec read = Objects.requireNonNull(
                            listed.getSubcommands().get(name))
                    .getCommandSpec()
                    .usageMessage();
            assertThat(command.getCommandName()).isEqualTo(name);
            assertThat(read.description()).as(name).isEqualTo(own.description());
            assertThat(read.hidden()).as(name).isEqualTo(own.hidden());
        });
    }

    /** A list of commands shows this sentence, on one line. */
    @ParameterizedTest
    @MethodSource("commands")
    void aCommandIsDescribedInOneSentenceThatFitsOneLineOfAList(CommandLine command) {
        Assumptions.assumeFalse(command.getCommandName().equals("posbias"), "the root is in no list");
        assertThat(command.getCommandSpec().usageMessage().description())
                .singleElement()
                .satisfies(sentence ->
                        assertThat(sentence).hasSizeLessThanOrEqualTo(66).matches("[A-Z].*[.?]"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpFitsEightyColumnsAndTwentyFiveLines(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        String help = command.getUsageMessage();
        assertThat(help.lines())
                .as(name)
                .hasSizeLessThanOrEqualTo(25)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
                .last(InstanceOfAssertFactories.STRING)
                .contains("--help-all");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpAllShowsAllOptionsAndExamples(CommandLine command) {
        root(command).parseArgs("--help-all");
        String help = command.getUsageMessage();
        assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(command.getCommandSpec().options())
                .filteredOn(option -> !option.hidden())
                .allSatisfy(option -> assertThat(help).contains(option.longestName()));
        assertThat(command.getCommandSpec().usageMessage().footer())
                .filteredOn(line -> line.startsWith("  posbias"))
                .allSatisfy(line -> assertThat(help).contains(line.strip()));
    }

    private static CommandLine root(CommandLine command) {
        return command.getCommandSpec().root().commandLine();
    }

    @ParameterizedTest
    @ValueSource(strings = {"data", "data build", "probe", "diagnose", "models", "cache"})
    void aCommandWithoutItsVerbShowsWhatThereIs(String command) {
        Cli.Ended ended = Cli.run(command);
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).isEqualTo(Cli.run(command, "--help").out());
    }

    @Test
    void aloneItSaysWhatToTypeFirst() {
        Cli.Ended ended = Cli.run();
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .contains("\n  posbias eval --model bm25,")
                .contains("'posbias --help' lists all commands");
        assertThat(ended.err().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(100));
    }

    @Test
    void helpOfACommandIsThatCommandsHelp() {
        assertThat(Cli.run("help data build").out())
                .isEqualTo(Cli.run("data build --help").out())
                .startsWith("Usage: posbias data build COMMAND ");
        assertThat(Cli.run("help").out()).isEqualTo(Cli.run("--help").out());
    }

    @Test
    void helpAllGroupsOptionsAndHelpHasThoseOfDailyUse() {
        String all = Cli.run("eval --help-all").out();
        assertThat(all.lines().filter(line -> line.matches("[A-Z][a-z ]+:")))
                .contains("Options:", "Measures:", "Content held fixed:", "Statistics:", "More machines:", "General:")
                .startsWith("Examples:", "Options:")
                .endsWith("General:");
        assertThat(Cli.run("eval --help").out().lines().filter(line -> line.matches("[A-Z][a-z ]+:")))
                .containsExactly("Options:");
    }

    @Test
    void theVersionIsOneLine() {
        assertThat(Cli.run("--version").out()).matches("posbias \\S+\\R");
        assertThat(Cli.run("eval --version").out()).matches("posbias \\S+\\R");
    }

    @Test
    void verboseSaysEachStepAndItsTime() {
        Cli.Ended ended = Cli.run("data info demo --verbose");
        assertThat(ended.err().lines().map(line -> line.replaceAll("[\\d.]+ s$", "N s")))
                .containsExactly("load demo: N s", "posbias data info: N s");
    }

    @Test
    void verboseShowsTheCause() {
        Cli.Ended plain = Cli.run("report none.json");
        Cli.Ended verbose = Cli.run("report none.json --verbose");
        plain.fails(2, "none.json: ");
        assertThat(verbose.err()).contains(plain.err()).contains("\tat io.posbias.");
    }
}

package io.posbias.cli;

import io.posbias.cli.common.BaseCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

@Command(
        name = "help",
        hidden = true,
        description = "Show the help of a command.",
        footer = {"", "Examples:", "  posbias help eval", "  posbias help data build"})
final class HelpCommand extends BaseCommand {
    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "Words of a command, for example data build.")
    private List<String> words = List.of();

    @Override
    protected void work() {
        CommandLine command = spec().root().commandLine();
        for (String word : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                throw new ParameterException(
                        command,
                        UsageErrors.unknownCommand(
                                word, command.getSubcommands().keySet()));
            }
            command = next;
        }
        print(command.getUsageMessage());
    }
}

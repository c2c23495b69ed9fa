package io.posbias.cli;

import io.posbias.base.process.Sessions;
import io.posbias.score.result.Study;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The studies of all commands, by the name of the command, for example "probe run", and of options, for example "diagnose segments --layers". */
public final class Studies {
    private static final Pattern TEXT = Pattern.compile("(--\\S+) \\S+\\.txt");

    private Studies() {}

    static Map<String, Study> all() {
        Map<String, Study> all = new LinkedHashMap<>();
        commands().forEach((name, command) -> {
            Study.Command own = command.getCommand();
            all.put(name, own.study());
            own.others().forEach((option, study) -> all.put(name + " " + option, study));
        });
        return all;
    }

    private static Map<String, CommandLine> commands() {
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        collect(PosbiasCommand.commandLine(Sessions.in(Path.of("unused")), List.of("completion")), commands);
        return commands;
    }

    private static void collect(CommandLine command, Map<String, CommandLine> into) {
        if (command.getCommand() instanceof Study.Command) {
            into.put(command.getCommandSpec().qualifiedName().replaceFirst("^posbias ", ""), command);
        }
        command.getSubcommands().values().forEach(sub -> collect(sub, into));
    }

    /** Returns the options that read a text file in an example of a study's help, each after its command. */
    public static List<String> optionsOfTexts() {
        return commands().entrySet().stream()
                .flatMap(one -> Stream.of(
                                one.getValue().getCommandSpec().usageMessage().footer())
                        .flatMap(line -> TEXT.matcher(line).results())
                        .map(option -> one.getKey() + " " + option.group(1)))
                .distinct()
                .toList();
    }

    /** Returns true if the command of a study has an option. */
    static boolean takes(String study, String option) {
        return Cli.run(study, "--help-all").ok().out().contains(" " + option + "=");
    }
}

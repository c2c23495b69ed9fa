package io.posbias.cli;

import io.posbias.base.process.Sessions;
import io.posbias.score.evaluate.Study;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** The studies of all commands, by the name of the command, for example "probe run". */
final class Studies {
    private Studies() {}

    static Map<String, Study> all() {
        Map<String, Study> all = new LinkedHashMap<>();
        collect(PosbiasCommand.commandLine(Sessions.in(Path.of("unused")), List.of()), all);
        return all;
    }

    private static void collect(CommandLine command, Map<String, Study> into) {
        if (command.getCommand() instanceof Study.Command study) {
            into.put(command.getCommandSpec().qualifiedName().replaceFirst("^posbias ", ""), study.study());
        }
        command.getSubcommands().values().forEach(sub -> collect(sub, into));
    }

    /** Returns true if the command of a study has an option. */
    static boolean takes(String study, String option) {
        return Cli.run(study, "--help-all").ok().out().contains(" " + option + "=");
    }
}

package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A command that is named first is read alone; it must be the one that all of them hold under its name. */
class CommandNamesTest {
    private static Map<String, CommandLine> commands(String... arguments) {
        return PosbiasCommand.commandLine(Sessions.in(Path.of("unused")), List.of(arguments))
                .getSubcommands();
    }

    @Test
    void theCommandThatIsNamedIsReadAlone() {
        commands().forEach((name, command) -> {
            assertThat(command.getCommandName()).isEqualTo(name);
            boolean needsAll = List.of("help", "completion").contains(name);
            assertThat(commands(name, "--help")).hasSize(needsAll ? commands().size() : 1);
            assertThat(Objects.requireNonNull(commands(name).get(name)).getUsageMessage())
                    .isEqualTo(command.getUsageMessage());
        });
        assertThat(commands("evl")).hasSameSizeAs(commands());
        assertThat(commands("--verbose", "eval")).hasSameSizeAs(commands());
    }
}

package io.posbias.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.table.TerminalStyle;
import io.posbias.cli.Cli;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
    @ParameterizedTest
    @CsvSource({
        "AUTO, true, '', xterm, true",
        "AUTO, false, '', xterm, false",
        "AUTO, true, 1, xterm, false",
        "AUTO, true, '', dumb, false",
        "ALWAYS, false, 1, dumb, true",
        "NEVER, true, '', xterm, false",
    })
    void colourIsForTerminalsUnlessAskedFor(
            Terminal.Colour colour, boolean terminal, String noColor, String term, boolean expected) {
        TerminalStyle look = Terminal.look(colour, terminal, Map.of("NO_COLOR", noColor, "TERM", term));
        assertThat(look.colour()).isEqualTo(expected);
    }

    @Test
    void colourCanBeAskedFor() {
        assertThat(Cli.run("report --with-published --layout table1 --color always")
                        .out())
                .contains("\u001b[1m0.008\u001b[0m", "\u001b[4m0.010\u001b[0m");
        assertThat(Cli.run("report --with-published --layout table1").out()).doesNotContain("\u001b");
    }
}

package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on a terminal: lines of progress are not left beside what is printed. */
@Tag("slow")
class PseudoTerminalTest {
    /**
     * Runs a command on a pseudo-terminal of so many columns, and presses Ctrl-C when a text is on it (empty: never); prints
     * all that the terminal got.
     */
    private static final String ON_TERMINAL = """
            import fcntl, os, pty, struct, sys, termios
            columns, key, command = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3:]
            child, terminal = pty.fork()
            if child == 0:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 50, columns, 0, 0))
                os.execvp(command[0], command)
            seen, pressed = b'', False
            while True:
                try:
                    part = os.read(terminal, 4096)
                except OSError:
                    break
                if not part:
                    break
                seen += part
                if key and not pressed and key in seen:
                    os.write(terminal, b'\\x03')
                    pressed = True
            sys.stdout.buffer.write(seen)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """;

    @TempDir
    Path temp;

    /** The lines of a terminal after all output; a line that is full goes on in the next one. */
    private static List<String> screen(String output, int columns) {
        List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
        int row = 0;
        int column = 0;
        for (int at = 0; at < output.length(); at++) {
            char character = output.charAt(at);
            if (character == '\r') {
                column = 0;
            } else if (character == '\n') {
                row++;
            } else {
                if (column == columns) {
                    row++;
                    column = 0;
                }
                while (lines.size() <= row) {
                    lines.add(new StringBuilder());
                }
                StringBuilder line = lines.get(row);
                line.append(" ".repeat(Math.max(0, column + 1 - line.length()))).setCharAt(column, character);
                column++;
            }
            while (lines.size() <= row) {
                lines.add(new StringBuilder());
            }
        }
        return lines.stream().map(line -> line.toString().stripTrailing()).toList();
    }

    private List<String> onTerminal(int code, int columns, String key, Object... arguments)
            throws IOException, InterruptedException {
        try {
            Assumptions.assumeTrue(
                    new ProcessBuilder("python3", "-c", "import pty").start().waitFor() == 0, "skipped: no pty");
        } catch (IOException none) {
            Assumptions.abort("skipped: there is no python3");
        }
        Child child = Child.startBy(
                "exec python3 -c '" + ON_TERMINAL.replace("'", "'\\''") + "' " + columns + " '" + key + "' \"$@\"",
                temp,
                Map.of("COLUMNS", String.valueOf(columns), "NO_COLOR", "1"),
                arguments);
        Cli.Ended ended = child.end();
        assertThat(ended.code()).as(ended.out() + ended.err()).isEqualTo(code);
        String output = new String(ended.out().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertThat(output).as("progress was shown").containsPattern("\r(posbias eval, [0-9]|encode|[a-z ]+…)");
        return screen(output, columns);
    }

    @ParameterizedTest
    @ValueSource(ints = {44, 80, 130})
    void progressIsClearedBeforeAnythingIsPrinted(int columns) throws IOException, InterruptedException {
        List<String> screen =
                onTerminal(0, columns, "", "eval --model all-minilm-l6-v2 --dataset demo --draws 0 --out out");
        assertThat(screen).contains("demo, nDCG@10 in points");
        assertThat(screen.stream().filter(line -> line.matches("(posbias eval|encode|search|load).*[0-9] s\\b.*")))
                .allMatch(line -> line.startsWith("load "), "the times of a cell");
    }

    @ParameterizedTest
    @ValueSource(ints = {44, 80})
    void progressIsClearedAtControlC(int columns) throws IOException, InterruptedException {
        List<String> screen =
                onTerminal(130, columns, "encode", "eval --model all-minilm-l6-v2 --dataset demo --out out");
        assertThat(String.join(" ", screen)).contains("posbias: interrupted; ");
        assertThat(screen.stream().filter(line -> line.startsWith("posbias: interrupted")))
                .hasSize(1);
        assertThat(screen).noneMatch(line -> line.matches("(encode|posbias eval).*"));
    }
}

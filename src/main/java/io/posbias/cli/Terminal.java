package io.posbias.cli;

import io.posbias.Progress;
import io.posbias.report.Look;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import picocli.CommandLine.Model.CommandSpec;

/** What is known of the terminal, colour, lines and progress bars on it. */
final class Terminal {
    /** Set by scripts/posbias, which can ask the shell: "1" when stderr is a terminal, "0" when not. */
    private static final String STDERR_IS_TERMINAL = "POSBIAS_STDERR_TTY";

    /** The same for stdout. */
    private static final String STDOUT_IS_TERMINAL = "POSBIAS_STDOUT_TTY";

    private static final String BLOCK = "▁";

    private static final int REFRESH_MILLIS = 200;

    private Terminal() {}

    /** Says a line on stderr at once, whatever becomes of the command. */
    static void say(CommandSpec spec, String line) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(line);
        err.flush();
    }

    /** Progress bars on stderr when that is a terminal, nothing otherwise. */
    static Progress progress() {
        return stderrIsTerminal() ? Terminal::bar : Progress.NONE;
    }

    /** When text is coloured. */
    enum Colour {
        AUTO,
        ALWAYS,
        NEVER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How tables look on stdout. */
    static Look look(Colour colour) {
        return look(colour, stdoutIsTerminal(), System.getenv(), System.getProperty("stdout.encoding", "UTF-8"));
    }

    /**
     * How tables look.
     *
     * @param terminal whether they go to a terminal: only there is colour wanted unasked, and only there does it matter
     *     what can be shown, as files are UTF-8
     * @param environment its NO_COLOR (https://no-color.org) or TERM=dumb keep colour away unless it is asked for
     * @param charset the terminal's
     */
    static Look look(Colour colour, boolean terminal, Map<String, String> environment, String charset) {
        boolean wanted = terminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        return new Look(
                colour == Colour.ALWAYS || (colour == Colour.AUTO && wanted), !terminal || encodesBlocks(charset));
    }

    private static boolean encodesBlocks(String charset) {
        return Charset.isSupported(charset)
                && Charset.forName(charset).newEncoder().canEncode(BLOCK);
    }

    private static boolean stdoutIsTerminal() {
        return isTerminal(STDOUT_IS_TERMINAL, 1);
    }

    private static boolean stderrIsTerminal() {
        return isTerminal(STDERR_IS_TERMINAL, 2);
    }

    private static boolean isTerminal(String variable, int descriptor) {
        String told = System.getenv(variable);
        if (told != null) {
            return told.equals("1");
        }
        try {
            // Linux: the descriptor is a link to the terminal. Elsewhere it cannot be read, and nothing is shown.
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    private static Progress.Step bar(String label, long total) {
        ProgressBar bar = new ProgressBarBuilder()
                .setTaskName(label)
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(REFRESH_MILLIS)
                .clearDisplayOnFinish()
                .build();
        return new Progress.Step() {
            @Override
            public void advance(long count) {
                bar.stepBy(count);
            }

            @Override
            public void close() {
                bar.close();
            }
        };
    }
}

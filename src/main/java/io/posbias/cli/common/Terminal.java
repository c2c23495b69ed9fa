package io.posbias.cli.common;

import io.posbias.Printable;
import io.posbias.Progress;
import io.posbias.Session;
import io.posbias.table.TerminalStyle;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** What is known of the terminal, colour, lines and progress bars on it. */
public final class Terminal {
    /** Set by scripts/posbias, which can ask the shell: "1" when stderr is a terminal, "0" when not. */
    private static final String STDERR_IS_TERMINAL = "POSBIAS_STDERR_TTY";

    /** The same for stdout. */
    private static final String STDOUT_IS_TERMINAL = "POSBIAS_STDOUT_TTY";

    /** How wide the terminal is; set by the shell, or by scripts/posbias. */
    private static final String COLUMNS = "COLUMNS";

    private static final String BLOCK = "▁";

    private static final int REFRESH_MILLIS = 200;

    private Terminal() {}

    /**
     * The session of this process: its environment, and stderr, where progress bars are shown if it is a terminal.
     *
     * @param say takes lines for stderr
     */
    public static Session session(Consumer<String> say) {
        Map<String, String> environment = System.getenv();
        return new Session(
                environment,
                Path.of(System.getProperty("user.home")),
                System::nanoTime,
                isTerminal(STDERR_IS_TERMINAL, 2, environment) ? Terminal::bar : Progress.NONE,
                say);
    }

    /** When text is coloured. */
    public enum Colour {
        AUTO,
        ALWAYS,
        NEVER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How tables look on stdout. */
    public static TerminalStyle look(Colour colour, Map<String, String> environment) {
        boolean terminal = isTerminal(STDOUT_IS_TERMINAL, 1, environment);
        return look(colour, terminal, environment, System.getProperty("stdout.encoding", "UTF-8"));
    }

    /**
     * How tables look.
     *
     * @param terminal whether they go to a terminal: only there is colour wanted unasked, and only there does it matter
     *     what can be shown, as files are UTF-8
     * @param environment its NO_COLOR (https://no-color.org) or TERM=dumb keep colour away unless it is asked for,
     *     its COLUMNS say how wide a terminal is
     * @param charset the terminal's
     */
    public static TerminalStyle look(Colour colour, boolean terminal, Map<String, String> environment, String charset) {
        boolean wanted = terminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        return new TerminalStyle(
                colour == Colour.ALWAYS || (colour == Colour.AUTO && wanted),
                !terminal || encodesBlocks(charset),
                terminal ? columns(environment.get(COLUMNS)) : TerminalStyle.WIDTH);
    }

    private static int columns(@Nullable String told) {
        return told != null && told.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(told) : TerminalStyle.WIDTH;
    }

    private static boolean encodesBlocks(String charset) {
        return Charset.isSupported(charset)
                && Charset.forName(charset).newEncoder().canEncode(BLOCK);
    }

    private static boolean isTerminal(String variable, int descriptor, Map<String, String> environment) {
        String told = environment.get(variable);
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
                .setTaskName(Printable.cut(label))
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

package io.posbias.cli;

import io.posbias.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** What is known of the terminal, and progress bars on it. */
final class Terminal {
    /** Set by scripts/posbias, which can ask the shell: "1" when stderr is a terminal, "0" when not. */
    private static final String STDERR_IS_TERMINAL = "POSBIAS_STDERR_TTY";

    private static final int REFRESH_MILLIS = 200;

    private Terminal() {}

    /** Progress bars on stderr when that is a terminal, nothing otherwise. */
    static Progress progress() {
        return stderrIsTerminal() ? Terminal::bar : Progress.NONE;
    }

    private static boolean stderrIsTerminal() {
        String told = System.getenv(STDERR_IS_TERMINAL);
        if (told != null) {
            return told.equals("1");
        }
        try {
            // Linux: the descriptor is a link to the terminal. Elsewhere it cannot be read, and nothing is shown.
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
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

package io.posbias.cli.common;

import io.posbias.base.process.ExitCode;
import io.posbias.base.process.Session;
import io.posbias.base.process.Shutdown;
import io.posbias.base.table.TerminalStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

public final class Terminal {
    /** "1" if stderr is a terminal, "0" if not; set by scripts/posbias. */
    private static final String STDERR_IS_TERMINAL = "POSBIAS_STDERR_TTY";

    /** "1" if stdout is a terminal, "0" if not; set by scripts/posbias. */
    private static final String STDOUT_IS_TERMINAL = "POSBIAS_STDOUT_TTY";

    /** Process that started this one for its output and shows the changing line of progress; set by the Python package. */
    private static final String PARENT = "POSBIAS_PARENT";

    /** Width of the terminal; set by the shell or scripts/posbias. */
    private static final String COLUMNS = "COLUMNS";

    private Terminal() {}

    /** Ends this process, as an interruption does, when the one that started it for its output, a Python's, has been killed. */
    public static void endWithParent() {
        String named = System.getenv(PARENT);
        Predicate<ProcessHandle> isIt = process -> String.valueOf(process.pid()).equals(named);
        BooleanSupplier isParent =
                () -> ProcessHandle.current().parent().filter(isIt).isPresent();
        boolean isGone = named != null && ProcessHandle.allProcesses().noneMatch(isIt);
        if (isParent.getAsBoolean() || isGone) {
            Thread.ofPlatform().daemon().name("posbias-parent").start(() -> {
                while (isParent.getAsBoolean() && Shutdown.pause()) {}
                System.exit(ExitCode.INTERRUPTED);
            });
        }
    }

    /**
     * Creates the progress lines of this process.
     *
     * @param err receives raw text for stderr
     */
    public static ProgressLines progress(Consumer<String> err) {
        Map<String, String> environment = System.getenv();
        return new ProgressLines(
                isTerminal(STDERR_IS_TERMINAL, 2, environment) || environment.containsKey(PARENT),
                columns(environment.get(COLUMNS)),
                err,
                System::nanoTime);
    }

    public static Session session(ProgressLines lines, Shutdown shutdown) {
        Map<String, String> environment = System.getenv();
        return new Session(
                environment, Path.of(System.getProperty("user.home")), System::nanoTime, lines, lines::say, shutdown);
    }

    public enum Colour {
        AUTO,
        ALWAYS,
        NEVER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static TerminalStyle look(Colour colour, Map<String, String> environment) {
        boolean terminal = isTerminal(STDOUT_IS_TERMINAL, 1, environment);
        return look(colour, terminal, environment);
    }

    /**
     * Style of tables.
     *
     * @param environment {@code NO_COLOR} (https://no-color.org) or {@code TERM=dumb} turn colour off unless it is asked for;
     *     {@code COLUMNS} is the width of a terminal
     */
    public static TerminalStyle look(Colour colour, boolean terminal, Map<String, String> environment) {
        boolean wanted = terminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        return new TerminalStyle(
                colour == Colour.ALWAYS || (colour == Colour.AUTO && wanted),
                terminal ? columns(environment.get(COLUMNS)) : TerminalStyle.WIDTH);
    }

    private static int columns(@Nullable String told) {
        return told != null && told.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(told) : TerminalStyle.WIDTH;
    }

    private static boolean isTerminal(String variable, int descriptor, Map<String, String> environment) {
        String told = environment.get(variable);
        if (told != null) {
            return told.equals("1");
        }
        String target = target(descriptor);
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    }

    /** Returns true if another program reads stdout; false where this is unknown. */
    public static boolean isPiped() {
        String target = target(1);
        return target.startsWith("pipe:") || target.startsWith("socket:");
    }

    /** File of a descriptor, as Linux names it; empty on other systems. */
    private static String target(int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
        } catch (IOException | UnsupportedOperationException unknown) {
            return "";
        }
    }
}

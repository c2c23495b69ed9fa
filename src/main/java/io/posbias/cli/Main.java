package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.JavaErrors;
import io.posbias.PosbiasException;
import io.posbias.Session;
import io.posbias.Shutdown;
import io.posbias.Temporary;
import io.posbias.Version;
import io.posbias.cli.common.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Entry point. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.setOut(utf8(FileDescriptor.out));
        System.setErr(utf8(FileDescriptor.err));
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) {
        // Asked for by every script that looks whether posbias is there: answered before anything is loaded.
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            System.out.println("posbias " + Version.text());
            return ExitCode.OK;
        }
        JavaErrors.load();
        Consumer<String> say = System.err::print;
        Shutdown.began(line -> say.accept("posbias: " + line + "\n"));
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> System.exit(failed(failure)));
        try {
            Temporary.clear();
            Session session = Terminal.session(text -> {
                // What is said while files are being deleted only tells that they are.
                if (!Shutdown.isUnderWay()) {
                    say.accept(text);
                }
            });
            return PosbiasCommand.commandLine(session, List.of(arguments)).execute(arguments);
        } catch (Error failure) {
            return failed(failure);
        } finally {
            Shutdown.ended();
        }
    }

    /** Prints the reason for a failure on any thread. */
    private static int failed(Throwable failure) {
        Shutdown.ended();
        Optional<PosbiasException> known = JavaErrors.explain(failure);
        if (known.isPresent()) {
            System.err.println("posbias: " + known.get().line());
        } else {
            failure.printStackTrace();
        }
        return ExitCode.FAILURE;
    }

    /** UTF-8 in any locale: tables contain names in every script. */
    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}

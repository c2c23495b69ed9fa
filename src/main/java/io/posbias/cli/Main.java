package io.posbias.cli;

import io.posbias.ExitCode;
import io.posbias.Version;
import io.posbias.cli.common.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Where the process starts. */
public final class Main {
    private Main() {}

    /** Runs a command line and ends the process with its exit code. */
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
        return PosbiasCommand.commandLine(Terminal.session(System.err::print), List.of(arguments))
                .execute(arguments);
    }

    /** Text leaves as UTF-8 whatever the locale: tables hold names in every script. */
    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}

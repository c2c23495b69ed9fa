package io.posbias.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs a command line inside the test's process. */
final class Cli {
    private Cli() {}

    /** What a command printed and how it ended. */
    record Ended(int code, String out, String err) {}

    static Ended run(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = PosbiasCommand.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = String.valueOf(arguments[i]);
        }
        int code = line.execute(words);
        return new Ended(code, out.toString(), err.toString());
    }
}

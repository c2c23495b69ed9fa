package io.posbias.base.process;

/** Exit codes of the process, documented in docs/cli.md. */
public final class ExitCode {
    public static final int OK = 0;
    public static final int FAILURE = 1;
    /** Wrong command line: an unknown option, name or file. */
    public static final int USAGE = 2;
    /** The gate failed. */
    public static final int GATE = 3;
    /** Ctrl-C: 128 + SIGINT. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}

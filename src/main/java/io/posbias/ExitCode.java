package io.posbias;

/** What the process tells its caller; part of the interface, see docs/cli.md. */
public final class ExitCode {
    /** Everything asked for was done. */
    public static final int OK = 0;
    /** The work failed: bad data, a full disk, a broken download. */
    public static final int FAILURE = 1;
    /** What was typed cannot be carried out: an unknown option, name or file on the command line. */
    public static final int USAGE = 2;
    /** The gate found a number that is not what the baseline says. */
    public static final int GATE = 3;
    /** Ended by Ctrl-C: 128 + SIGINT, as shells expect. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}

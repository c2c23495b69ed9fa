package io.posbias.cli.common;

import io.posbias.ExitCode;
import java.io.PrintWriter;

/** A command that only has subcommands: alone it shows what they are, on stderr, as nothing was done. */
public abstract class Group extends BaseCommand {
    @Override
    public final Integer call() {
        PrintWriter err = spec().commandLine().getErr();
        err.print(alone());
        err.flush();
        return ExitCode.USAGE;
    }

    /** What it says alone: its help, unless there is something better to say. */
    protected String alone() {
        return spec().commandLine().getUsageMessage();
    }
}

package io.posbias.cli.common;

import io.posbias.base.process.ExitCode;
import java.io.PrintWriter;

/** A command with subcommands; alone it prints its help to stderr and fails. */
public abstract class Group extends BaseCommand {
    @Override
    public final Integer call() {
        PrintWriter err = spec().commandLine().getErr();
        err.print(welcome());
        err.flush();
        return ExitCode.USAGE;
    }

    protected String welcome() {
        return spec().commandLine().getUsageMessage();
    }
}

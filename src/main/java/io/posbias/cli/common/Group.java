package io.posbias.cli.common;

import io.posbias.ExitCode;

/** A command that only has subcommands: alone it shows what they are, on stderr, as nothing was done. */
public abstract class Group extends Verb {
    @Override
    public final Integer call() {
        spec().commandLine().usage(spec().commandLine().getErr());
        return ExitCode.USAGE;
    }
}

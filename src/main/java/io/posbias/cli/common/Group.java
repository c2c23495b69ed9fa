package io.posbias.cli.common;

import picocli.CommandLine.ParameterException;

/** A command that only has subcommands. */
public abstract class Group extends Verb {
    @Override
    public final Integer call() {
        throw new ParameterException(spec().commandLine(), "Missing " + wanted());
    }

    /** What is missing without a subcommand. */
    protected String wanted() {
        return "command";
    }
}

package io.posbias;

import java.io.Serial;

/** What was typed on the command line cannot be carried out. Exit code {@link ExitCode#USAGE}. */
public final class UsageException extends PosbiasException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** A usage error with its one-line explanation. */
    public UsageException(String message) {
        super(message);
    }

    @Override
    public int exitCode() {
        return ExitCode.USAGE;
    }
}

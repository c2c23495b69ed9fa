package io.posbias.base.process;

import java.io.Serial;

/** A wrong command line; {@link ExitCode#USAGE}. */
public final class UsageException extends PosbiasException {
    @Serial
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    @Override
    public int exitCode() {
        return ExitCode.USAGE;
    }
}

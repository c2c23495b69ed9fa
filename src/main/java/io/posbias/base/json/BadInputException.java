package io.posbias.base.json;

import io.posbias.base.process.PosbiasException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A malformed input file: one line with file, line, what was found and what to do. */
public final class BadInputException extends PosbiasException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String problem;

    /**
     * @param found the wrong value, with its field
     *
     * @param advice may be empty
     */
    public BadInputException(Location where, String found, String advice) {
        this(where, found, advice, null);
    }

    /** Keeps the cause for {@code --verbose}. */
    public BadInputException(Location where, String found, String advice, @Nullable Throwable cause) {
        super(where + ": " + problem(found, advice), cause);
        this.problem = problem(found, advice);
    }

    private static String problem(String found, String advice) {
        return found + (advice.isEmpty() ? "" : "; " + advice);
    }

    /** The message without file and line. */
    public String problem() {
        return problem;
    }
}

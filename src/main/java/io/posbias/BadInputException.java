package io.posbias;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An input file that cannot be what it should be: names file, line, what was found and what to do. */
public final class BadInputException extends PosbiasException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String problem;

    /**
     * @param where file and line
     * @param found what is there, field included
     * @param advice what to do about it; may be empty
     */
    public BadInputException(Location where, String found, String advice) {
        this(where, found, advice, null);
    }

    /** The same with a cause. */
    public BadInputException(Location where, String found, String advice, @Nullable Throwable cause) {
        super(where + ": " + problem(found, advice), cause);
        this.problem = problem(found, advice);
    }

    private static String problem(String found, String advice) {
        return found + (advice.isEmpty() ? "" : "; " + advice);
    }

    /** What is wrong and what to do, without the place. */
    public String problem() {
        return problem;
    }
}

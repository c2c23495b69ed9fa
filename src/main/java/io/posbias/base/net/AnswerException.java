package io.posbias.base.net;

import java.io.IOException;
import java.io.Serial;

/** An answer that is none. */
public class AnswerException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean mayPass;

    /** @param mayPass true if another try may succeed */
    public AnswerException(String problem, boolean mayPass) {
        super(problem);
        this.mayPass = mayPass;
    }

    /** Returns true if another try may succeed. */
    public final boolean mayPass() {
        return mayPass;
    }

    /** What is wrong with it. May hold words of the server. */
    public final String problem() {
        return String.valueOf(getMessage());
    }
}

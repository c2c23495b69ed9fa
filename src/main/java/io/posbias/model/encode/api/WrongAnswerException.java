package io.posbias.model.encode.api;

import java.io.Serial;

/** An answer that is none. Its problem may hold words of the server: to be masked before anybody sees it. */
public final class WrongAnswerException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    final String problem;
    /** True if another try may succeed. */
    final boolean mayPass;

    private WrongAnswerException(String problem, boolean mayPass) {
        super(problem);
        this.problem = problem;
        this.mayPass = mayPass;
    }

    /** An answer that would be as wrong the next time. */
    static WrongAnswerException forGood(String problem) {
        return new WrongAnswerException(problem, false);
    }

    /** An answer that was damaged on its way, or written by a server that is not well. */
    public static WrongAnswerException forNow(String problem) {
        return new WrongAnswerException(problem, true);
    }
}

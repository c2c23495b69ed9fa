package io.posbias.base.net;

import java.io.IOException;
import java.io.Serial;

/** An answer that is none. Its problem may hold words of the server: to be masked before anybody sees it. */
public class AnswerException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean mayPass;
    private final int place;

    AnswerException(String problem, boolean mayPass, int place) {
        super(problem);
        this.mayPass = mayPass;
        this.place = place;
    }

    /** An answer that would be as wrong the next time. */
    public static AnswerException forGood(String problem) {
        return at(-1, problem);
    }

    /** An answer that would be as wrong the next time, by what it has at a place. */
    public static AnswerException at(int place, String problem) {
        return new AnswerException(problem, false, place);
    }

    /** An answer that was damaged on its way, or written by a server that is not well. */
    public static AnswerException forNow(String problem) {
        return new AnswerException(problem, true, -1);
    }

    /** Returns true if another try may succeed. */
    final boolean mayPass() {
        return mayPass;
    }

    /** The place of what is wrong among what was asked about, as the server says it; -1 for none. */
    public final int place() {
        return place;
    }

    /** What is wrong with it. */
    public final String problem() {
        return String.valueOf(getMessage());
    }
}

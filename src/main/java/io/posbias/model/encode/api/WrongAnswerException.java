package io.posbias.model.encode.api;

import io.posbias.base.net.AnswerException;
import java.io.Serial;

/** An answer that is none. Its problem may hold words of the server: to be masked before anybody sees it. */
public final class WrongAnswerException extends AnswerException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Place of the text whose value is none; -1 for none. */
    final int place;

    private WrongAnswerException(String problem, boolean mayPass, int place) {
        super(problem, mayPass);
        this.place = place;
    }

    /** An answer that would be as wrong the next time. */
    static WrongAnswerException forGood(String problem) {
        return at(-1, problem);
    }

    /** An answer that would be as wrong the next time, by what it has for one of the texts. */
    static WrongAnswerException at(int place, String problem) {
        return new WrongAnswerException(problem, false, place);
    }

    /** An answer that was damaged on its way, or written by a server that is not well. */
    public static WrongAnswerException forNow(String problem) {
        return new WrongAnswerException(problem, true, -1);
    }
}

package io.posbias.base.net;

import java.io.Serial;

/** A body holds more bytes than it may; asking again would bring no less. */
public final class TooLongException extends AnswerException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** @param bytes the most that it may hold */
    public TooLongException(long bytes) {
        super("longer than " + (bytes % (1 << 20) == 0 ? (bytes >> 20) + " MiB" : bytes + " bytes"), false, -1);
    }
}

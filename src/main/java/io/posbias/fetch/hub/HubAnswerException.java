package io.posbias.fetch.hub;

import io.posbias.base.net.HttpReply;
import java.io.Serial;

/** The Hub answered with a status that no further try will change. */
final class HubAnswerException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    final int status;
    /** Error code of the Hub, for example GatedRepo; may be empty. */
    final String code;

    HubAnswerException(Object file, HttpReply reply) {
        super(file + ": status " + reply.status());
        this.status = reply.status();
        this.code = reply.header("X-Error-Code").orElse("");
    }
}

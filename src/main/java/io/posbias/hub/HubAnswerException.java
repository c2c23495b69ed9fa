package io.posbias.hub;

import java.io.Serial;
import java.net.http.HttpResponse;

/** The Hub answered with a status that no further try will change. */
final class HubAnswerException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    final int status;
    /** The Hub's own word for it, such as GatedRepo; may be empty. */
    final String code;

    HubAnswerException(Object file, HttpResponse<?> response) {
        super(file + ": status " + response.statusCode());
        this.status = response.statusCode();
        this.code = response.headers().firstValue("X-Error-Code").orElse("");
    }
}

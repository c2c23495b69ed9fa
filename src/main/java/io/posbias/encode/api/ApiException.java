package io.posbias.encode.api;

import io.posbias.PosbiasException;
import java.io.Serial;
import java.util.List;

/**
 * A service did not give what was asked for; says what a person can do about it. Has no cause: what an HTTP client or a
 * parser says may quote the server, and a server may quote the key.
 */
public final class ApiException extends PosbiasException {
    @Serial
    private static final long serialVersionUID = 1L;

    ApiException(String message, List<String> steps) {
        super(message, steps, null);
    }
}

package io.posbias.base.net;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.util.Optional;

/**
 * A server's reply, whose headers have arrived. Closing it aborts the rest of the body.
 *
 * @param status of HTTP
 * @param headers all of them
 * @param body its bytes within the limits of the request
 */
public record HttpReply(int status, HttpHeaders headers, InputStream body) implements AutoCloseable {
    /** Returns true for success. */
    public boolean isFine() {
        return status / 100 == 2;
    }

    /** A header's first value. */
    public Optional<String> header(String name) {
        return headers.firstValue(name);
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}

package io.posbias.fetch.hub;

import java.net.URI;

/**
 * A file on a server other than the Hub.
 *
 * @param digest published MD5 (32 letters) or SHA-256 (64), lower case; empty if unpublished
 * @param bytes -1 if unpublished
 * @param from where this file, a part of the server's, begins in it; -1 for a whole file
 */
public record WebFile(URI address, String digest, long bytes, long from) {
    public WebFile(URI address, String digest, long bytes) {
        this(address, digest, bytes, -1);
    }

    public String name() {
        String path = address.getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }
}

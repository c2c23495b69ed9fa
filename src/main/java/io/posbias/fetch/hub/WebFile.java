package io.posbias.fetch.hub;

import java.net.URI;

/**
 * A file on a server other than the Hub.
 *
 * @param digest published MD5 (32 letters) or SHA-256 (64), lower case; empty if unpublished
 * @param bytes -1 if unpublished
 */
public record WebFile(URI address, String digest, long bytes) {
    public String name() {
        String path = address.getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }
}

package io.posbias.fetch.hub;

import io.posbias.base.files.Checksums;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * The Hub's name for a file's content: the SHA-256 of large files, git's blob SHA-1 of small ones. Both can be computed
 * from the content, so every download is verified.
 *
 * @param hex the digest in lower case
 */
record ETag(String hex) {
    private static final int SHA_256_LENGTH = 64;
    /** Prefix of an MD5 that was published with a file of another server; the Hub does not use it. */
    static final String MD5 = "md5-";

    private static final int SHA_1_LENGTH = 40;

    /** Reads a header's value: quotes and the mark of a weak tag are dropped. */
    static ETag parse(String header) {
        return new ETag(header.strip().replaceFirst("^W/", "").replace("\"", ""));
    }

    boolean isVerifiable() {
        boolean named = hex.matches("[0-9a-f]+") && (hex.length() == SHA_256_LENGTH || hex.length() == SHA_1_LENGTH);
        return named || hex.matches(MD5 + "[0-9a-f]{32}");
    }

    /** The SHA-256 of the content, if that is what the Hub names it by. */
    Optional<String> sha256() {
        return isVerifiable() && hex.length() == SHA_256_LENGTH ? Optional.of(hex) : Optional.empty();
    }

    /** Returns true if the file has this content, verified. */
    boolean isOf(Path file) throws IOException {
        return isVerifiable() && matches(file);
    }

    /** Returns true if the file has this content, or if that cannot be verified. */
    boolean matches(Path file) throws IOException {
        if (hex.startsWith(MD5)) {
            return hex.equals(MD5 + Checksums.of(file, Checksums.digest("MD5")));
        }
        boolean large = hex.length() == SHA_256_LENGTH;
        MessageDigest digest = Checksums.digest(large ? "SHA-256" : "SHA-1");
        if (!large) {
            digest.update(("blob " + Files.size(file) + "\0").getBytes(StandardCharsets.US_ASCII));
        }
        return Checksums.of(file, digest).equals(hex);
    }
}

package io.posbias.build.text;

import io.posbias.Checksums;
import java.nio.charset.StandardCharsets;

/** Draws that depend on a seed and on what is drawn, not on the order or the number of what else there is. */
public final class Draw {
    private static final int HEX_OF_LONG = 16;

    private Draw() {}

    /**
     * A number that stands for the place of a thing in a random order: the first 64 bits of a SHA-256. To draw n without
     * replacement is to take those with the n smallest, compared as unsigned numbers.
     */
    public static long priority(long seed, String id) {
        String digest = Checksums.sha256((seed + "\n" + id).getBytes(StandardCharsets.UTF_8));
        return Long.parseUnsignedLong(digest.substring(0, HEX_OF_LONG), 16);
    }

    /** One of several, each as likely. */
    public static int of(int choices, long seed, String id) {
        return (int) Long.remainderUnsigned(priority(seed, id), choices);
    }
}

package io.posbias.study.build.text;

import io.posbias.base.files.Checksums;
import java.nio.charset.StandardCharsets;

/** Draws that depend on a seed and an identifier, not on order or number of the other items. */
public final class Draw {
    private static final int HEX_OF_LONG = 16;

    private Draw() {}

    /**
     * Returns an item's place in a random order: the first 64 bits of a SHA-256, compared as unsigned numbers. The n
     * smallest are a draw without replacement.
     */
    public static long priority(long seed, String id) {
        String digest = Checksums.sha256((seed + "\n" + id).getBytes(StandardCharsets.UTF_8));
        return Long.parseUnsignedLong(digest.substring(0, HEX_OF_LONG), 16);
    }

    public static int of(int choices, long seed, String id) {
        return (int) Long.remainderUnsigned(priority(seed, id), choices);
    }
}

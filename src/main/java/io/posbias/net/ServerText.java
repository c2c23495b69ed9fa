package io.posbias.net;

import java.util.Optional;

/** Texts of servers as parts of messages. */
public final class ServerText {
    private static final int LONGEST = 300;

    private ServerText() {}

    /** One line of at most 300 characters, without the secret. Masked first: a cut key is still one. */
    public static String line(String words, Optional<Secret> secret) {
        String masked = secret.map(hidden -> hidden.mask(words)).orElse(words);
        String line = masked.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
    }
}

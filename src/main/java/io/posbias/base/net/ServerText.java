package io.posbias.base.net;

import io.posbias.base.text.Printable;
import java.util.Collection;

/** Texts of servers as parts of messages. */
public final class ServerText {
    private static final int LONGEST = 300;

    private ServerText() {}

    /** One line of at most 300 characters, without the secrets. Masked first: a cut key is still one. */
    public static String line(String words, Collection<Secret> secrets) {
        String masked = words;
        for (Secret secret : secrets) {
            masked = secret.mask(masked);
        }
        return Printable.begun(masked.replaceAll("[\\p{Cntrl}\\s]+", " ").strip(), LONGEST);
    }
}

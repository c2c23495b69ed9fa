package io.posbias.base.text;

import java.util.Locale;

/** Counts with nouns. */
public final class Plural {
    private Plural() {}

    /** For example "1 query" or "2 queries". */
    public static String of(long count, String noun) {
        return count + " " + noun(count, noun);
    }

    /** For example "1,234 queries". */
    public static String grouped(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s", count, noun(count, noun));
    }

    private static String noun(long count, String noun) {
        return count == 1 ? noun : many(noun);
    }

    private static String many(String noun) {
        if (noun.matches(".*[^aeiou]y")) {
            return noun.substring(0, noun.length() - 1) + "ies";
        }
        return noun + (noun.matches(".*(s|x|ch|sh)") ? "es" : "s");
    }
}

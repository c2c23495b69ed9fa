package io.posbias.base.text;

/** Counts with nouns. */
public final class Plural {
    private Plural() {}

    /** For example "1 query" or "2 queries". */
    public static String of(long count, String noun) {
        return count + " " + (count == 1 ? noun : many(noun));
    }

    private static String many(String noun) {
        if (noun.matches(".*[^aeiou]y")) {
            return noun.substring(0, noun.length() - 1) + "ies";
        }
        return noun + (noun.matches(".*(s|x|ch|sh)") ? "es" : "s");
    }
}

package io.posbias;

/** Counts in sentences. */
public final class Plural {
    private Plural() {}

    /** "1 query", "2 queries", "0 passages": a noun of regular plural, and its number. */
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

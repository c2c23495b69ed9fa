package io.posbias.base.table;

import java.util.Set;

/**
 * Outcome of a number's tests against the other numbers of its column.
 *
 * @param name of its row
 * @param letter of its row, printed beside the numbers that are better; empty for none
 * @param better names of the rows whose numbers are better beyond noise
 */
public record Standing(String name, String letter, Set<String> better) {
    private static final int LETTERS = 26;

    public Standing {
        better = Set.copyOf(better);
    }

    /** The letter of a row by its place, from 0: a to z, then a1 and so on. */
    public static String letter(int place) {
        return (char) ('a' + place % LETTERS) + (place < LETTERS ? "" : String.valueOf(place / LETTERS));
    }
}

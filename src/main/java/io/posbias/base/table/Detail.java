package io.posbias.base.table;

/**
 * Decimals and definitions of tables.
 *
 * @param digits decimals of points and percentages; fractions have one more, at least three
 * @param explain true to print definitions and rules below tables
 */
public record Detail(int digits, boolean explain) {
    /** One decimal, without definitions. */
    public static final Detail USUAL = new Detail(1, false);

    /** Two decimals, as the papers print. */
    public static final Detail PAPER = new Detail(2, false);
}

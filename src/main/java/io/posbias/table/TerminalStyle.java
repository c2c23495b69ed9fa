package io.posbias.table;

/**
 * What a terminal can show.
 *
 * @param colour whether bold, underlined and coloured text is wanted
 * @param blocks whether its character set has the eight Unicode blocks; where not, curves are digits
 */
public record TerminalStyle(boolean colour, boolean blocks) {
    /** For files and pipes, which are UTF-8: the same bytes everywhere. */
    public static final TerminalStyle PLAIN = new TerminalStyle(false, true);
}

package io.posbias.table;

/**
 * What a terminal can show.
 *
 * @param colour whether bold, underlined and coloured text is wanted
 * @param blocks whether its character set has the eight Unicode blocks; where not, curves are digits
 * @param width how many characters a line has
 */
public record TerminalStyle(boolean colour, boolean blocks, int width) {
    /** Lines of a terminal as it comes, of files and pipes. */
    public static final int WIDTH = 80;

    /** For files and pipes, which are UTF-8: the same bytes everywhere. */
    public static final TerminalStyle PLAIN = new TerminalStyle(false, true, WIDTH);

    /** The same with lines of other width. */
    public TerminalStyle wide(int columns) {
        return new TerminalStyle(colour, blocks, columns);
    }
}

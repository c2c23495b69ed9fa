package io.posbias.base.table;

/**
 * Capabilities of a terminal.
 *
 * @param colour true for bold, underlined and coloured text
 */
public record TerminalStyle(boolean colour, int width) {
    /** Default width: of a terminal, of files and of pipes. */
    public static final int WIDTH = 80;

    /** For files and pipes. */
    public static final TerminalStyle PLAIN = new TerminalStyle(false, WIDTH);

    /** Returns a style with lines of another width. */
    public TerminalStyle wide(int columns) {
        return new TerminalStyle(colour, columns);
    }
}

package io.posbias.cli.common;

import io.posbias.base.process.Session;
import io.posbias.base.table.Detail;
import io.posbias.base.table.TerminalStyle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(optionListHeading = "Output:")
public class TableLook {
    private static final int LEAST = 40;

    static final class Width implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            if (!value.matches("[0-9]{1,6}") || Integer.parseInt(value) < LEAST) {
                throw new TypeConversionException("must be a whole number of at least " + LEAST + ", not " + value);
            }
            return Integer.valueOf(value);
        }
    }

    @Option(
            names = "--width",
            paramLabel = "N",
            converter = Width.class,
            description = "Maximum width of tables in characters; wider ones are stacked (default: the terminal's, "
                    + "else " + TerminalStyle.WIDTH + ").")
    private @Nullable Integer width;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            description = "Colour in tables: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}, on terminals unless "
                    + "NO_COLOR is set).")
    private Terminal.Colour colour = Terminal.Colour.AUTO;

    @Least(0)
    @Option(
            names = "--digits",
            paramLabel = "N",
            description = "Decimals of points and percentages in tables (default: 1; PSI has at least three).")
    private @Nullable Integer digits;

    @Option(names = "--explain", description = "Print definitions and rules below tables.")
    private boolean explain;

    public Detail detail() {
        return detail(Detail.USUAL);
    }

    /** @param usual the decimals without {@code --digits} */
    public Detail detail(Detail usual) {
        return new Detail(digits == null ? usual.digits() : digits, explain);
    }

    public TerminalStyle style(Session session) {
        TerminalStyle style = Terminal.look(colour, session.environment());
        return width == null ? style : style.wide(width);
    }

    /** Style in files, independent of the terminal. */
    public TerminalStyle inFile() {
        return width == null ? TerminalStyle.PLAIN : TerminalStyle.PLAIN.wide(width);
    }
}

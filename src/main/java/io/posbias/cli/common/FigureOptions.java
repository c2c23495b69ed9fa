package io.posbias.cli.common;

import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Pictures;
import io.posbias.base.process.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Formats and size of figures. */
@Command(optionListHeading = "Output:")
public class FigureOptions {
    @Option(
            names = "--plot-format",
            split = ",",
            paramLabel = "FORMAT",
            description = "Formats of figures: ${COMPLETION-CANDIDATES} (default: svg,png).")
    private Set<Pictures.Format> formats = Pictures.Form.USUAL.formats();

    @Option(
            names = "--plot-size",
            paramLabel = "WIDTH[xHEIGHT]",
            converter = Size.class,
            description = "Size of figures in inches, for example 3.3 or 3.3x2.4 for one column of a paper "
                    + "(default: 7.5, with a fitting height). The font size is fixed.")
    private Figure.Frame size = Figure.Frame.USUAL;

    @Option(names = "--no-plot-titles", description = "No titles and notes, for figures with a caption.")
    private boolean untitled;

    static final class Size implements ITypeConverter<Figure.Frame> {
        private static final Pattern FORM = Pattern.compile("(\\d{1,3}(?:\\.\\d+)?)(?:x(\\d{1,3}(?:\\.\\d+)?))?");
        private static final int LEAST = 2;
        private static final int MOST = 40;

        @Override
        public Figure.Frame convert(String value) {
            Matcher form = FORM.matcher(value);
            if (!form.matches()) {
                throw new TypeConversionException(
                        "'" + value + "' is not a size in inches, for example 3.3 or 3.3x2.4");
            }
            String height = form.group(2);
            return new Figure.Frame(
                    units(form.group(1), LEAST), height == null ? null : (Integer) units(height, 1), true);
        }

        private static int units(String inches, int least) {
            double number = Double.parseDouble(inches);
            if (number < least || number > MOST) {
                throw new TypeConversionException(inches + " inches: the width must be from " + LEAST + " to " + MOST
                        + ", the height from 1 to " + MOST);
            }
            return (int) Math.round(number * Figure.UNITS_PER_INCH);
        }
    }

    /**
     * Draws figures by file name, and prints the files.
     *
     * @param option of the folder
     */
    public final void draw(Session session, String option, Path folder, Supplier<Map<String, Figure>> figures) {
        Figure.Frame frame = new Figure.Frame(size.width(), size.height(), !untitled);
        List<Path> files = session.step(
                "draw into " + folder,
                () -> Pictures.write(figures.get(), new Pictures.Form(formats, frame), folder, session));
        if (files.isEmpty()) {
            session.say("note: " + option + ": this result has nothing to draw");
        }
        files.forEach(file -> session.say("written: " + file));
    }
}

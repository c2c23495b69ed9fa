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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

public final class PlotOptions implements Checked {
    @ArgGroup(exclusive = false)
    private @Nullable Drawing drawing;

    /** A group, so that --plots is required with its options. */
    static final class Drawing {
        @Option(
                names = "--plots",
                required = true,
                paramLabel = "DIR",
                description = "Folder for figures. See docs/report.md.")
        private Path folder = Path.of("");

        @Heading("Output:")
        @Option(
                names = "--plot-format",
                split = ",",
                paramLabel = "FORMAT",
                description = "Formats of figures: ${COMPLETION-CANDIDATES} (default: svg,png).")
        private Set<Pictures.Format> formats = Pictures.Form.USUAL.formats();

        @Heading("Output:")
        @Option(
                names = "--plot-size",
                paramLabel = "WIDTH[xHEIGHT]",
                converter = Size.class,
                description = "Size of figures in inches, for example 3.3 or 3.3x2.4 for one column of a paper "
                        + "(default: 7.5, with a fitting height). The font size is fixed.")
        private Figure.Frame size = Figure.Frame.USUAL;

        @Heading("Output:")
        @Option(names = "--no-plot-titles", description = "No titles and notes, for figures with a caption.")
        private boolean untitled;
    }

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

    @Override
    public void check() {
        BaseCommand.isWritable("--plots", drawing == null ? null : drawing.folder);
    }

    public boolean areGiven() {
        return drawing != null;
    }

    /** Draws figures by file name if a folder was given, and prints the files. */
    public void draw(Session session, Supplier<Map<String, Figure>> figures) {
        Drawing asked = drawing;
        if (asked == null) {
            return;
        }
        Figure.Frame frame = new Figure.Frame(asked.size.width(), asked.size.height(), !asked.untitled);
        List<Path> files = session.step(
                "draw into " + asked.folder,
                () -> Pictures.write(figures.get(), new Pictures.Form(asked.formats, frame), asked.folder, session));
        if (files.isEmpty()) {
            session.say("note: --plots: this result has nothing to draw");
        }
        files.forEach(file -> session.say("written: " + file));
    }
}

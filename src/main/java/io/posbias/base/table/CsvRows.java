package io.posbias.base.table;

import io.posbias.base.files.Pointers;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SequenceWriter;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvSchema;
import tools.jackson.dataformat.csv.CsvWriteFeature;

/**
 * Comma-separated values with a header line. Read values are strings, and empty ones are absent; written lines end with
 * {@code \n} and have quotes only if needed.
 *
 * <p>Spreadsheets take a cell that begins with {@code = + - @}, a tab or a carriage return for a formula, which can run
 * programs. Texts like these get an apostrophe, as OWASP advises (CSV Injection), which is removed on reading. Numbers
 * and a lone dash are unchanged.
 */
public final class CsvRows {
    private static final String NUMBER = "[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?%?";
    private static final Pattern HARMLESS =
            Pattern.compile("-|" + NUMBER + "[*†]?(?: \\[" + NUMBER + ", " + NUMBER + "])?");
    private static final String BEGINS_FORMULA = "=+-@\t\r";
    private static final char TEXT = '\'';

    private CsvRows() {}

    private static final class Mapper {
        static final ObjectWriter LINES = CsvMapper.builder()
                .enable(CsvWriteFeature.STRICT_CHECK_FOR_QUOTING)
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .build()
                .writer();
        static final ObjectReader ROWS = new CsvMapper().readerForMapOf(String.class);
    }

    public static List<Fields> read(Path file) {
        return read(file, Pointers.content(file));
    }

    /**
     * Reads a resource of the jar.
     *
     * @param name for example {@code data/published/colder-figures.csv}
     */
    public static List<Fields> bundled(String name) {
        return read(Path.of(name), Configs.read(name));
    }

    public static List<Fields> read(Path file, byte[] text) {
        List<Fields> rows = new ArrayList<>();
        read(file, new ByteArrayInputStream(text), ',', rows::add);
        return rows;
    }

    /** Visits the rows of a text with another separator; {@code file} is for errors. */
    public static void read(Path file, InputStream text, char separator, Consumer<Fields> consumer) {
        CsvSchema schema = CsvSchema.emptySchema().withHeader().withColumnSeparator(separator);
        try (MappingIterator<Map<String, @Nullable Object>> values =
                Mapper.ROWS.with(schema).readValues(text)) {
            while (values.hasNext()) {
                Location where = new Location(file, values.currentLocation().getLineNr());
                Map<String, @Nullable Object> row = new LinkedHashMap<>();
                values.next().forEach((name, value) -> {
                    if (value != null && !value.equals("")) {
                        row.put(unguarded(name), unguarded(value.toString()));
                    }
                });
                consumer.accept(new Fields(where, row));
            }
        } catch (JacksonException broken) {
            throw Json.malformed("CSV", file, broken);
        }
    }

    static String render(Table table) {
        StringWriter text = new StringWriter();
        write(
                text,
                Stream.concat(
                        Stream.of(table.flatHeader()),
                        table.rows().stream().filter(row -> !row.isHeading()).map(Table.Row::cells)));
        return text.toString();
    }

    /** Writes lines as they come, the header first. */
    static void write(Writer out, Stream<List<String>> lines) {
        try (SequenceWriter writer = Mapper.LINES.forType(List.class).writeValues(out)) {
            lines.forEachOrdered(line -> writer.write(guarded(line)));
        }
    }

    private static List<String> guarded(List<String> cells) {
        return cells.stream()
                .map(cell -> isFormula(cell) && !HARMLESS.matcher(cell).matches() ? TEXT + cell : cell)
                .toList();
    }

    private static String unguarded(String cell) {
        return cell.startsWith("'") && isFormula(cell) ? cell.substring(1) : cell;
    }

    private static boolean isFormula(String cell) {
        int first = 0;
        while (first < cell.length() && cell.charAt(first) == TEXT) {
            first++;
        }
        return first < cell.length() && BEGINS_FORMULA.indexOf(cell.charAt(first)) >= 0;
    }
}

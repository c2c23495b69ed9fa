package io.posbias.table;

import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SequenceWriter;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvWriteFeature;

/** Comma-separated values with {@code \n} at line ends and quotes only where they are needed. */
public final class CsvTable {
    private CsvTable() {}

    /** Made when first needed. */
    private static final class Mapper {
        static final ObjectWriter LINES = CsvMapper.builder()
                .enable(CsvWriteFeature.STRICT_CHECK_FOR_QUOTING)
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .build()
                .writer();
    }

    /** The header and the rows of a table, without its headings and notes. */
    static String render(Table table) {
        return lines(lines -> {
            lines.accept(table.flatHeader());
            table.rows().stream()
                    .filter(row -> !row.isHeading())
                    .map(Table.Row::cells)
                    .forEach(lines);
        });
    }

    /** The text of lines that are given one after another as lists of cells. */
    public static String lines(Consumer<Consumer<List<String>>> producer) {
        StringWriter text = new StringWriter();
        try (SequenceWriter writer = Mapper.LINES.forType(List.class).writeValues(text)) {
            producer.accept(writer::write);
        }
        return text.toString();
    }
}

package io.posbias.table;

import java.io.StringWriter;
import java.util.List;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SequenceWriter;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvWriteFeature;

/** Comma-separated values with {@code \n} at line ends and quotes only where they are needed. */
final class CsvTable {
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
        StringWriter text = new StringWriter();
        try (SequenceWriter lines = Mapper.LINES.forType(List.class).writeValues(text)) {
            lines.write(table.flatHeader());
            table.rows().stream()
                    .filter(row -> !row.isHeading())
                    .map(Table.Row::cells)
                    .forEach(lines::write);
        }
        return text.toString();
    }
}

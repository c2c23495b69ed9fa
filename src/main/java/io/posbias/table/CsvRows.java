package io.posbias.table;

import io.posbias.Fields;
import io.posbias.Location;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.ObjectReader;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvSchema;

/** Reads comma-separated values with a header line; every value is a string, an empty one counts as absent. */
public final class CsvRows {
    private CsvRows() {}

    /** Made when first needed. */
    private static final class Mapper {
        static final ObjectReader ROWS = new CsvMapper()
                .readerForMapOf(String.class)
                .with(CsvSchema.emptySchema().withHeader());
    }

    /** The rows of a file. */
    public static List<Fields> read(Path file) {
        try {
            return read(file, Files.readAllBytes(file));
        } catch (IOException unreadable) {
            throw new PosbiasException(Problems.describe("read", file, unreadable), unreadable);
        }
    }

    /**
     * The rows of a text.
     *
     * @param file what errors call it
     */
    public static List<Fields> read(Path file, byte[] text) {
        List<Fields> rows = new ArrayList<>();
        try (MappingIterator<Map<String, @Nullable Object>> values = Mapper.ROWS.readValues(text)) {
            while (values.hasNext()) {
                Map<String, @Nullable Object> row = new LinkedHashMap<>(values.next());
                row.values().removeIf(""::equals);
                rows.add(new Fields(new Location(file, rows.size() + 2L), row));
            }
        } catch (JacksonException broken) {
            throw new PosbiasException("cannot read " + file + ": not CSV: " + broken.getOriginalMessage(), broken);
        }
        return rows;
    }
}

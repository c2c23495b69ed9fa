package io.posbias.data.dataset;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.data.input.LineReader;
import io.posbias.data.input.TextInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;

/**
 * Rows of one JSON object per line in UTF-8; blank lines are skipped. A list of records, and records over several lines, are
 * read as {@link JsonTable} does.
 *
 * @param path gzip if it ends in .gz
 */
public record JsonLines(Path path) implements RowFile {
    private static final TypeReference<Map<String, @Nullable Object>> ROW = new TypeReference<>() {};

    @Override
    public void forEach(Consumer<Fields> consumer) {
        ObjectReader reader = Json.mapper().readerFor(ROW);
        try (InputStream in = TextInput.open(path)) {
            LineReader lines = new LineReader(in);
            while (lines.next()) {
                if (lines.isBlank()) {
                    continue;
                }
                byte first = lines.bytes()[lines.start()];
                if (lines.number() == 1
                        && (first == '['
                                || (first == '{' && lines.text().strip().length() == 1))) {
                    new JsonTable(path).forEach(consumer);
                    return;
                }
                consumer.accept(parse(reader, lines));
            }
        } catch (IOException problem) {
            throw RowFile.unreadable(path, problem);
        }
    }

    private Fields parse(ObjectReader reader, LineReader lines) {
        Location where = new Location(path, lines.number());
        if (lines.bytes()[lines.start()] != '{') {
            throw new BadInputException(where, "not a JSON object", "each line must hold one { … }");
        }
        try {
            Map<String, @Nullable Object> record = reader.readValue(lines.bytes(), lines.start(), lines.length());
            return record.get("_source") instanceof Map ? JsonTable.row(where, "", record) : new Fields(where, record);
        } catch (JacksonException broken) {
            throw Json.malformed("JSON", where, broken);
        }
    }
}

package io.posbias.data.convert;

import io.posbias.base.files.FileNames;
import io.posbias.base.json.Fields;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.RowFile;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a user says about own data: the language, and the columns of rows whose names are not the usual ones. A column in a
 * record is named with dots, for example {@code meta.body}.
 *
 * @param language ISO 639-1 code of the passages; empty to detect it
 * @param text column of the documents, or of the texts that answers stand in; empty for the usual ones
 * @param question column of the questions; empty for the usual ones
 * @param answer column of the answers; empty for the usual ones
 */
public record Reading(String language, String text, String question, String answer) {
    /** Usual columns, and a language that is detected unless it is given. */
    public static Reading of(String language) {
        return new Reading(language, "", "", "");
    }

    /** Returns the column of documents without questions. */
    public String textColumn() {
        return text.isEmpty() ? OwnData.TEXT : text;
    }

    /** Returns the options that say the same, for commands that are printed. */
    public String options() {
        StringBuilder options = new StringBuilder(language.isEmpty() ? "" : " --language " + language);
        List.of(
                        List.of(" --text-field ", text),
                        List.of(" --question-field ", question),
                        List.of(" --answer-field ", answer))
                .forEach(option -> options.append(
                        option.getLast().isEmpty() ? "" : option.getFirst() + FileNames.quoted(option.getLast())));
        return options.toString();
    }

    /** The settings that converted data depends on. */
    public List<String> key() {
        return columns().isEmpty() ? List.of(language) : List.of(language, text, question, answer);
    }

    private Map<String, String> columns() {
        Map<String, String> columns = new LinkedHashMap<>();
        columns.put("context", text);
        columns.put("question", question);
        columns.put("answer", answer);
        columns.values().removeIf(String::isEmpty);
        return columns;
    }

    /**
     * Opens a table with its columns under the usual names.
     *
     * @param most rows that decide if cells are quoted
     */
    RowFile rows(Path file, int most) {
        RowFile rows = RowFile.table(file, most);
        return columns().isEmpty() ? rows : new Renamed(rows, columns());
    }

    private record Renamed(RowFile rows, Map<String, String> columns) implements RowFile {
        @Override
        public Path path() {
            return rows.path();
        }

        @Override
        public void forEach(Consumer<Fields> consumer) {
            boolean[] isFirst = {true};
            rows.forEach(row -> {
                Fields named = row;
                for (Map.Entry<String, String> column : columns.entrySet()) {
                    Object value = value(row.toMap(), column.getValue());
                    if (value == null && isFirst[0]) {
                        throw new UsageException("column " + Printable.quoted(column.getValue()) + " is not in "
                                + row.where() + ", which has " + Printable.cut(String.join(", ", row.names())));
                    }
                    named = value == null ? named : named.with(column.getKey(), value);
                }
                isFirst[0] = false;
                consumer.accept(named);
            });
        }

        private static @Nullable Object value(Map<?, ?> record, String column) {
            Object value = record.get(column);
            int dot = column.indexOf('.');
            return value == null && dot > 0 && record.get(column.substring(0, dot)) instanceof Map<?, ?> inner
                    ? value(inner, column.substring(dot + 1))
                    : value;
        }
    }
}

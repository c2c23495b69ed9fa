package io.posbias.cli.common;

import io.posbias.base.json.Json;
import io.posbias.base.process.Session;
import io.posbias.base.table.Columns;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.table.TableFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

public class FormatOption extends TableLook {
    private enum Format {
        TABLE,
        MARKDOWN,
        CSV,
        LATEX,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TABLE;

    public boolean isTable() {
        return format == Format.TABLE;
    }

    public String text(Supplier<?> document, Supplier<List<Table>> tables, Session session) {
        return format == Format.JSON ? json(document) : tables(tables, session);
    }

    /** Renders JSON, tables, or one tidy table as CSV. */
    public String text(Supplier<?> document, Supplier<List<Table>> tables, Supplier<Table> tidy, Session session) {
        return switch (format) {
            case JSON -> json(document);
            case CSV -> TableFormat.CSV.render(tidy.get());
            default -> tables(tables, session);
        };
    }

    /** Renders a list: its tables have a column for each component. */
    public <R extends Record> String list(Class<R> type, List<R> rows, List<String> notes, Session session) {
        RecordCsv<R> csv = new RecordCsv<>(type);
        Columns<R> columns = new Columns<>();
        csv.table(List.of())
                .header()
                .forEach(name -> columns.text(name, row -> csv.values(row).get(name)));
        return text(() -> rows, () -> List.of(columns.table("", rows, notes)), () -> csv.table(rows), session);
    }

    private String tables(Supplier<List<Table>> tables, Session session) {
        return TableFormat.valueOf(format.name()).render(tables.get(), style(session));
    }

    private static String json(Supplier<?> document) {
        return new String(Json.toBytes(document.get()), StandardCharsets.UTF_8);
    }
}

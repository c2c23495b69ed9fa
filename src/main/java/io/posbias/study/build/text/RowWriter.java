package io.posbias.study.build.text;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.ParquetFile;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Files of rows: JSON lines, tab-separated values and Parquet. */
public final class RowWriter {
    private RowWriter() {}

    @FunctionalInterface
    public interface Rows {
        void to(Consumer<SequencedMap<String, Object>> sink);
    }

    public static SequencedMap<String, Object> row(Object... namesAndValues) {
        SequencedMap<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            row.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return row;
    }

    public static SequencedMap<String, String> columns(String... names) {
        SequencedMap<String, String> columns = new LinkedHashMap<>();
        for (String name : names) {
            columns.put(name, "VARCHAR");
        }
        return columns;
    }

    public static void lines(Path file, Rows rows) {
        write(file, rows, Json::toLine);
    }

    public static void tabs(Path file, Rows rows) {
        boolean[] begun = {false};
        write(file, rows, row -> {
            String line =
                    tabbed(row.sequencedValues().stream().map(String::valueOf).toList());
            String head = begun[0] ? "" : tabbed(row.sequencedKeySet());
            begun[0] = true;
            return (head + line).getBytes(StandardCharsets.UTF_8);
        });
    }

    private static String tabbed(Iterable<String> cells) {
        return String.join("\t", cells) + "\n";
    }

    /** Writes Parquet through temporary JSON lines. */
    public static void parquet(Path file, SequencedMap<String, String> columns, Rows rows) {
        Path lines = file.resolveSibling(file.getFileName() + ".jsonl");
        lines(lines, rows);
        ParquetFile.write(lines, columns, file);
        IoErrors.run("delete", lines, () -> Files.delete(lines));
    }

    private static void write(Path file, Rows rows, Function<SequencedMap<String, Object>, byte[]> form) {
        IoErrors.run("write", file, () -> {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
                rows.to(row -> IoErrors.run("write", file, () -> out.write(form.apply(row))));
            }
        });
    }
}

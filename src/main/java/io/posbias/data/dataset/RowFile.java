package io.posbias.data.dataset;

import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Pointers;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.table.CsvRows;
import io.posbias.data.input.TextInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.ZipException;

/** A file of records, streamed from front to back. */
public interface RowFile {
    /** Regular expression of the ending of compressed text, or none. */
    String COMPRESSED = "(?:\\.(?:gz|zst|xz|bz2))?";

    Path path();

    /**
     * Visits all rows in file order.
     *
     * @throws io.posbias.base.json.BadInputException if the file is malformed, naming the line or row
     */
    void forEach(Consumer<Fields> consumer);

    default List<Fields> first(int most) {
        List<Fields> rows = new ArrayList<>();
        try {
            forEach(row -> {
                rows.add(row);
                Enough.at(rows.size(), most);
            });
        } catch (Enough read) {
            // The rest is not read.
        }
        return rows;
    }

    /** Ends a visit of rows. */
    final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Enough() {
            super("enough rows", null, false, false);
        }

        static void at(int count, int most) {
            if (count >= most) {
                throw new Enough();
            }
        }
    }

    /** Opens the parts of a file, which are read in their order. */
    static RowFile open(List<Path> parts) {
        return parts.size() == 1 ? open(parts.getFirst()) : new Parts(parts);
    }

    record Parts(List<Path> paths) implements RowFile {
        @Override
        public Path path() {
            return paths.getFirst();
        }

        @Override
        public void forEach(Consumer<Fields> consumer) {
            paths.forEach(path -> RowFile.open(path).forEach(consumer));
        }
    }

    /**
     * Opens a {@code .jsonl} (or {@code .jsonlines}, {@code .ndjson}), {@code .json}, {@code .tsv}, {@code .csv} (all also
     * compressed) or {@code .parquet} file.
     *
     * @throws PosbiasException for another ending or a missing file
     */
    static RowFile open(Path path) {
        String name = String.valueOf(path.getFileName());
        String plain = name.replaceFirst(COMPRESSED + "$", "");
        if (!Pointers.isFile(path)) {
            throw new PosbiasException("cannot read " + path + ": file not found");
        }
        if (plain.endsWith(".jsonl") || plain.endsWith(".jsonlines") || plain.endsWith(".ndjson")) {
            return new JsonLines(path);
        }
        if (plain.endsWith(".json")) {
            return new JsonTable(path);
        }
        if (plain.endsWith(".csv")) {
            return new Quoted(path, ',');
        }
        if (plain.endsWith(".tsv")) {
            return new TabSeparated(path);
        }
        if (name.endsWith(".parquet")) {
            return new ParquetRows(path);
        }
        throw new PosbiasException(
                "cannot read " + path + ": rows come as .jsonl, .json, .tsv or .csv, also compressed, or .parquet");
    }

    /** Rows whose cells may be quoted, with a header: {@link CsvRows}. */
    record Quoted(Path path, char separator) implements RowFile {
        @Override
        public void forEach(Consumer<Fields> consumer) {
            try (InputStream in = TextInput.open(path)) {
                CsvRows.read(path, in, separator, consumer);
            } catch (IOException problem) {
                throw unreadable(path, problem);
            }
        }
    }

    /**
     * Opens a table that a user wrote: a file as {@link #open(Path)} does, whose tab-separated cells may be quoted.
     *
     * @param most rows that decide if they are
     */
    static RowFile table(Path path, int most) {
        if (path.toString().matches("(?s).*\\.tsv" + COMPRESSED) && !TabSeparated.hasNoHeader(path)) {
            RowFile quoted = new Quoted(path, '\t');
            try {
                quoted.first(most);
                return quoted;
            } catch (BadInputException unquoted) {
                // Its quotes are letters.
            }
        }
        return open(path);
    }

    static PosbiasException unreadable(Path path, IOException problem) {
        boolean corrupt = problem instanceof ZipException || problem instanceof EOFException;
        return new PosbiasException(
                corrupt
                        ? "cannot read " + path + ": the compressed data is corrupt or cut off (" + problem.getMessage()
                                + "); fetch or make the file again"
                        : IoErrors.describe("read", path, problem),
                problem);
    }
}

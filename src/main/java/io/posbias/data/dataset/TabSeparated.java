package io.posbias.data.dataset;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.data.input.LineReader;
import io.posbias.data.input.TextInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tab-separated strings with a header line and without quoting, as in BEIR's judgements. MS MARCO's files have no header: lines of
 * identifier and text, of identifier, address, title and text, and triples of query, relevant and other passage.
 */
record TabSeparated(Path path) implements RowFile {
    @Override
    public void forEach(Consumer<Fields> consumer) {
        try (InputStream in = TextInput.open(path)) {
            LineReader lines = new LineReader(in);
            if (!lines.next()) {
                throw new BadInputException(Location.of(path), "the file is empty", "its first line names the columns");
            }
            String[] first = cells(lines);
            String[] implied = implied(first);
            String[] header = implied.length > 0 ? implied : distinct(first, new Location(path, lines.number()));
            for (boolean more = implied.length > 0 || lines.next(); more; more = lines.next()) {
                if (!lines.isBlank()) {
                    Location where = new Location(path, lines.number());
                    consumer.accept(row(header, cells(lines), where, "columns are separated by single tabs"));
                }
            }
        } catch (IOException problem) {
            throw RowFile.unreadable(path, problem);
        }
    }

    /** Returns true if the file has one of MS MARCO's forms without a header. */
    static boolean hasNoHeader(Path path) {
        try (InputStream in = TextInput.open(path)) {
            LineReader lines = new LineReader(in);
            return lines.next() && implied(cells(lines)).length > 0;
        } catch (IOException problem) {
            throw RowFile.unreadable(path, problem);
        }
    }

    /** Returns the names of the columns of a first line that is no header, since it has sentences or a number; else none. */
    private static String[] implied(String[] cells) {
        boolean hasId = !isText(cells[0]) && !cells[0].isBlank();
        if (cells.length == 2 && hasId && (isText(cells[1]) || cells[0].matches("\\d+"))) {
            return new String[] {"_id", "text"};
        }
        if (cells.length == 4 && hasId && cells[1].matches("https?://\\S+")) {
            return new String[] {"_id", "url", "title", "text"};
        }
        return cells.length == 3 && Arrays.stream(cells).allMatch(TabSeparated::isText)
                ? new String[] {"query", "positive", "negative"}
                : new String[0];
    }

    private static boolean isText(String cell) {
        return cell.strip().indexOf(' ') >= 0;
    }

    /** Returns the names of columns; of two with one name it would be open which is read. */
    static String[] distinct(String[] header, Location where) {
        Set<String> names = new HashSet<>();
        for (String name : header) {
            if (!names.add(name)) {
                throw new BadInputException(
                        where, "has two columns " + Printable.quoted(name), "name each column differently");
            }
        }
        return header;
    }

    /** @param advice for a row with another number of cells than the header */
    static Fields row(String[] header, String[] cells, Location where, String advice) {
        if (cells.length != header.length) {
            throw new BadInputException(
                    where, Plural.of(cells.length, "column") + " where the first line has " + header.length, advice);
        }
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        for (int i = 0; i < header.length; i++) {
            row.put(header[i], cells[i]);
        }
        return new Fields(where, row);
    }

    private static String[] cells(LineReader lines) {
        return lines.text().split("\t", -1);
    }
}

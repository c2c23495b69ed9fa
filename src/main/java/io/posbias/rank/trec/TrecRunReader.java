package io.posbias.rank.trec;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.input.LineReader;
import io.posbias.data.input.TextInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reader of TREC runs, {@code query Q0 passage rank score tag}, with or without a tag, and of MS MARCO's {@code query passage
 * rank}. Columns are separated by spaces or tabs. Uses scores only, as trec_eval, not the order of lines or the rank column.
 *
 * <p>Tables with a header are read as {@link TableRunReader} does; quotes and names of rows, as R's write.table
 * writes them, are not part of the cells. Refuses, with file and line: other columns, an unknown passage, a score that is not a finite number, a passage twice for a
 * query. Negative scores are valid (logits) and counted.
 */
final class TrecRunReader {
    private static final int COLUMNS = 6;
    private static final int WITHOUT_TAG = 5;
    private static final int MS_MARCO = 3;
    private static final Set<String> SECOND = Set.of("q0", "0");

    private TrecRunReader() {}

    static RunHits read(Path file, RunHits hits) {
        try (InputStream in = TextInput.open(file)) {
            LineReader lines = new LineReader(in);
            int columns = 0;
            Separated form = null;
            List<String> header = List.of();
            while (lines.next()) {
                if (lines.isBlank()) {
                    continue;
                }
                if (form == null) {
                    form = Separated.of(lines.text());
                    List<String> names = form.cells(lines.text());
                    if (TableRunReader.isHeader(names)) {
                        header = names;
                        continue;
                    }
                }
                List<String> cells = form.cells(lines.text());
                columns = columns == 0 ? cells.size() : columns;
                Location where = new Location(file, lines.number());
                RunHits.Refusal refusal =
                        header.isEmpty() ? add(cells, columns, hits) : add(header, cells, where, hits);
                if (refusal != null) {
                    throw new BadInputException(where, refusal.found(), refusal.advice());
                }
            }
        } catch (IOException problem) {
            throw RowFile.unreadable(file, problem);
        }
        return hits;
    }

    /**
     * Form of the lines.
     *
     * @param isQuoted true if a tool put quotes around all texts, as R's write.table does
     * @param separator comma or tab for cells that may be empty; white space otherwise
     */
    private record Separated(boolean isQuoted, char separator) {
        private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9.]+([eE][+-]?\\d+)?|[+-]?Inf|NA|");

        static Separated of(String first) {
            return Stream.of(',', '\t')
                    .map(separator -> of(first, separator))
                    .filter(own -> TableRunReader.isHeader(own.cells(first)))
                    .findFirst()
                    .orElseGet(() -> of(first, ' '));
        }

        private static Separated of(String first, char separator) {
            List<String> cells = new Separated(false, separator).cells(first);
            boolean isQuoted = cells.stream().anyMatch(Separated::hasQuotes)
                    && cells.stream()
                            .allMatch(cell ->
                                    hasQuotes(cell) || NUMBER.matcher(cell).matches());
            return new Separated(isQuoted, separator);
        }

        private static boolean hasQuotes(String cell) {
            return cell.length() > 1 && cell.startsWith("\"") && cell.endsWith("\"");
        }

        List<String> cells(String line) {
            List<String> cells = new ArrayList<>(COLUMNS);
            if (separator == ' ') {
                StringTokenizer columns = new StringTokenizer(line, " \t\r");
                while (columns.hasMoreTokens()) {
                    cells.add(columns.nextToken());
                }
            } else {
                cells.addAll(List.of(line.split(String.valueOf(separator), -1)));
            }
            cells.replaceAll(cell -> isQuoted && hasQuotes(cell) ? cell.substring(1, cell.length() - 1) : cell);
            return cells;
        }
    }

    /** Adds a row of a table, before whose cells R may write the name of the row. */
    private static RunHits.@Nullable Refusal add(
            List<String> header, List<String> cells, Location where, RunHits hits) {
        int names = cells.size() - header.size();
        if (names != 0 && names != 1) {
            return new RunHits.Refusal(
                    Plural.of(cells.size(), "column"), "the header names " + Plural.of(header.size(), "column"));
        }
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        for (int i = 0; i < header.size(); i++) {
            row.put(header.get(i), cells.get(i + names));
        }
        return TableRunReader.add(new Fields(where, row), hits);
    }

    /**
     * @param first number of columns of the first line
     */
    private static RunHits.@Nullable Refusal add(List<String> given, int first, RunHits hits) {
        boolean isNamed = given.size() == COLUMNS + 1
                && SECOND.contains(given.get(2).toLowerCase(Locale.ROOT))
                && !SECOND.contains(given.get(1).toLowerCase(Locale.ROOT));
        List<String> cells = isNamed ? given.subList(1, given.size()) : given;
        int count = cells.size();
        if (count == MS_MARCO && first == MS_MARCO) {
            return hits.add(cells.get(0), cells.get(1), null, cells.get(2));
        }
        boolean isTrec = count == COLUMNS
                || (count >= WITHOUT_TAG && SECOND.contains(cells.get(1).toLowerCase(Locale.ROOT)));
        return isTrec && first != MS_MARCO
                ? hits.add(cells.get(0), cells.get(2), cells.get(4), cells.get(3))
                : new RunHits.Refusal(
                        Plural.of(count, "column"),
                        "a TREC run has six, query Q0 passage rank score tag, and MS MARCO's three, query passage rank");
    }
}

package io.posbias.rank.trec;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.LineReader;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.dataset.TextInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Reader of TREC runs, {@code query Q0 passage rank score tag}, with or without a tag, and of MS MARCO's {@code query passage
 * rank}. Columns are separated by spaces or tabs. Uses scores only, as trec_eval, not the order of lines or the rank column.
 *
 * <p>Refuses, with file and line: other columns, an unknown passage, a score that is not a finite number, a passage twice for a
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
            while (lines.next()) {
                List<String> cells = cells(lines);
                if (cells.isEmpty()) {
                    continue;
                }
                columns = columns == 0 ? cells.size() : columns;
                RunHits.Refusal refusal = add(cells, columns, hits);
                if (refusal != null) {
                    throw new BadInputException(new Location(file, lines.number()), refusal.found(), refusal.advice());
                }
            }
        } catch (IOException problem) {
            throw RowFile.unreadable(file, problem);
        }
        return hits;
    }

    private static List<String> cells(LineReader lines) {
        String text = lines.text();
        StringTokenizer columns = new StringTokenizer(text, " \t\r");
        List<String> cells = new ArrayList<>(COLUMNS);
        while (columns.hasMoreTokens()) {
            cells.add(columns.nextToken());
        }
        return cells;
    }

    /**
     * @param first number of columns of the first line
     */
    private static RunHits.@Nullable Refusal add(List<String> cells, int first, RunHits hits) {
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

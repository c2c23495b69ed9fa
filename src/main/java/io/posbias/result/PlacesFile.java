package io.posbias.result;

import io.posbias.Fields;
import io.posbias.PosbiasException;
import io.posbias.measure.PositionLoss;
import io.posbias.measure.ScoresByPlace;
import io.posbias.table.CsvRows;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code content-fixed.csv}: a line per query and place of its evidence, with the score. */
public final class PlacesFile {
    public static final String NAME = "content-fixed.csv";

    private PlacesFile() {}

    private record PlaceLine(ScoresByPlace row, int place) {
        @Nullable
        Integer unread() {
            return of(row.unread());
        }

        @Nullable
        Integer found() {
            return of(row.found());
        }

        private @Nullable Integer of(boolean[] flags) {
            return flags.length == 0 ? null : (Integer) (flags[place] ? 1 : 0);
        }
    }

    private static final Sheet<PlaceLine> LINES = new Sheet<PlaceLine>()
            .plain("query_id", line -> line.row().query())
            .means("identifier of the query")
            .plain("passage", line -> line.row().passage())
            .means("its relevant passage")
            .plain("article", line -> line.row().article())
            .means("title of the passage's article; empty where it is not known")
            .plain("observed", line -> line.row().observed())
            .means("score on the passage as it is", "fraction")
            .plain("place", line -> line.place() + 1)
            .means("place of the evidence, from 1, the first", "number")
            .plain("score", line -> line.row().scores()[line.place()])
            .means("score with the evidence there", "fraction")
            .plain("found", PlaceLine::found)
            .means(
                    "1 where the passage is among the first " + PositionLoss.TOP
                            + " hits; empty where that is not known",
                    "1 or 0")
            .plain("natural", line -> line.row().natural()[line.place()] ? 1 : 0)
            .means("1 where the text of the place is the passage as it is", "1 or 0")
            .plain("broken", line -> line.row().broken()[line.place()])
            .means("pairs of neighbouring sentences that were no neighbours in the passage", "count")
            .plain("unread", PlaceLine::unread)
            .means("1 where the evidence begins past what the model reads; empty where that is not known", "1 or 0");

    public static Sheet<?> columns() {
        return LINES;
    }

    public static Table table(List<ScoresByPlace> rows) {
        List<PlaceLine> lines = new ArrayList<>();
        for (ScoresByPlace row : rows) {
            for (int place = 0; place < row.scores().length; place++) {
                lines.add(new PlaceLine(row, place));
            }
        }
        return LINES.raw(lines);
    }

    /**
     * Reads a file.
     *
     * @throws PosbiasException if queries have other numbers of places
     */
    public static List<ScoresByPlace> read(Path file) {
        Map<String, List<Fields>> byQuery = new LinkedHashMap<>();
        CsvRows.read(file)
                .forEach(line -> byQuery.computeIfAbsent(line.id("query_id"), query -> new ArrayList<>())
                        .add(line));
        List<ScoresByPlace> rows =
                byQuery.values().stream().map(PlacesFile::row).toList();
        if (rows.stream().map(row -> row.scores().length).distinct().count() != 1) {
            throw new PosbiasException(file + " holds no query, or queries of different numbers of places");
        }
        return rows;
    }

    private static ScoresByPlace row(List<Fields> lines) {
        Fields first = lines.getFirst();
        int[] broken = new int[lines.size()];
        double[] scores = new double[lines.size()];
        for (int place = 0; place < scores.length; place++) {
            Fields line = lines.get(place);
            if (line.parsedInteger("place") != place + 1) {
                throw line.bad(
                        "place",
                        "is " + line.parsedInteger("place"),
                        "it is place " + (place + 1) + " of query " + first.id("query_id"));
            }
            scores[place] = QueriesFile.score(line, "score");
            broken[place] = line.parsedInteger("broken");
        }
        return new ScoresByPlace(
                first.id("query_id"),
                first.text("passage", ""),
                first.text("article", ""),
                QueriesFile.score(first, "observed"),
                scores,
                flags(lines, "found"),
                flags(lines, "natural"),
                broken,
                flags(lines, "unread"));
    }

    private static boolean[] flags(List<Fields> lines, String column) {
        boolean known = lines.stream().anyMatch(line -> line.has(column));
        boolean[] flags = new boolean[known ? lines.size() : 0];
        for (int place = 0; place < flags.length; place++) {
            Fields line = lines.get(place);
            int flag = line.parsedInteger(column);
            if (flag != 0 && flag != 1) {
                throw line.bad(column, "is " + flag, "it is 1 or 0");
            }
            flags[place] = flag == 1;
        }
        return flags;
    }
}

package io.posbias.score.result;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Printable;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code content-fixed.csv}: a line per query and place of its evidence, with the score. */
public final class PlacesFile {
    public static final String NAME = "content-fixed.csv";

    private PlacesFile() {}

    record PlaceLine(
            @Meaning("identifier of the query") String queryId,
            @Meaning("its relevant passage") String passage,

            @Meaning("title of the passage's article; empty where it is not known")
            String article,

            @Meaning("score on the passage as it is") double observed,

            @Meaning(value = "place of the evidence, from 1, the first", unit = "number")
            int place,

            @Meaning("score with the evidence there") double score,

            @Meaning(
                    value = "1 where the passage is among the first " + PositionLoss.TOP
                            + " hits; empty where that is not known",
                    unit = "1 or 0")
            @Nullable
            Integer found,

            @Meaning(value = "1 where the text of the place is the passage as it is", unit = "1 or 0")
            int natural,

            @Meaning("pairs of neighbouring sentences that were no neighbours in the passage")
            int broken,

            @Meaning("whole, part or none of the evidence that the model reads, or unknown")
            String read) {
        static PlaceLine of(ScoresByPlace row, int place) {
            return new PlaceLine(
                    row.query(),
                    row.passage(),
                    row.article(),
                    row.observed(),
                    place + 1,
                    row.scores()[place],
                    flag(row.found(), place),
                    row.natural()[place] ? 1 : 0,
                    row.broken()[place],
                    row.read()[place].toString());
        }

        private static @Nullable Integer flag(boolean[] flags, int place) {
            return flags.length == 0 ? null : (Integer) (flags[place] ? 1 : 0);
        }
    }

    public static final RecordCsv<PlaceLine> LINES = new RecordCsv<>(PlaceLine.class);

    public static Table table(List<ScoresByPlace> rows) {
        return LINES.table(rows.stream()
                .flatMap(row -> IntStream.range(0, row.scores().length).mapToObj(place -> PlaceLine.of(row, place)))
                .toList());
    }

    static void write(Path file, List<ScoresByPlace> rows) {
        int places = rows.getFirst().scores().length;
        LINES.write(file, rows.size() * places, line -> PlaceLine.of(rows.get(line / places), line % places));
    }

    /**
     * Reads a file.
     *
     * @throws PosbiasException if queries have other numbers of places
     */
    public static List<ScoresByPlace> read(Path file) {
        Map<String, List<ReadLine>> byQuery = new LinkedHashMap<>();
        for (Fields fields : CsvRows.read(file)) {
            ReadLine line = Json.bind(fields, ReadLine.class);
            byQuery.computeIfAbsent(line.queryId, query -> new ArrayList<>()).add(line);
        }
        List<ScoresByPlace> rows =
                byQuery.values().stream().map(PlacesFile::row).toList();
        if (rows.stream().map(row -> row.scores().length).distinct().count() != 1) {
            throw new PosbiasException(file + " holds no query, or queries of different numbers of places");
        }
        return rows;
    }

    /** A line as read. */
    private record ReadLine(
            @Setting(identifier = true) String queryId,
            @Setting(usual = "''") String passage,
            @Setting(usual = "''") String article,
            int place,
            int broken,
            Fields fields) {}

    private static ScoresByPlace row(List<ReadLine> lines) {
        ReadLine first = lines.getFirst();
        int[] broken = new int[lines.size()];
        double[] scores = new double[lines.size()];
        for (int place = 0; place < scores.length; place++) {
            ReadLine line = lines.get(place);
            if (line.place != place + 1) {
                throw line.fields.bad(
                        "place", "is " + line.place, "it is place " + (place + 1) + " of query " + first.queryId);
            }
            scores[place] = QueriesFile.score(line.fields, "score");
            broken[place] = line.broken;
        }
        return new ScoresByPlace(
                first.queryId,
                first.passage,
                first.article,
                QueriesFile.score(first.fields, "observed"),
                scores,
                lines.stream().anyMatch(line -> line.fields.has("found")) ? flags(lines, "found") : new boolean[0],
                flags(lines, "natural"),
                broken,
                lines.stream().map(line -> read(line.fields)).toArray(Read[]::new));
    }

    /** Files of earlier versions have {@code unread}, 1 where the evidence begins past the cut; it may end past it elsewhere. */
    private static Read read(Fields line) {
        if (!line.has("read")) {
            return line.has("unread") && line.parsedInteger("unread") == 1 ? Read.NONE : Read.UNKNOWN;
        }
        String word = line.text("read");
        return Arrays.stream(Read.values())
                .filter(read -> read.toString().equals(word))
                .findFirst()
                .orElseThrow(
                        () -> line.bad("read", "is " + Printable.quoted(word), "it is whole, part, none or unknown"));
    }

    private static boolean[] flags(List<ReadLine> lines, String column) {
        boolean[] flags = new boolean[lines.size()];
        for (int place = 0; place < flags.length; place++) {
            Fields line = lines.get(place).fields;
            int flag = line.parsedInteger(column);
            if (flag != 0 && flag != 1) {
                throw line.bad(column, "is " + flag, "it is 1 or 0");
            }
            flags[place] = flag == 1;
        }
        return flags;
    }
}

package io.posbias.rank.trec;

import io.posbias.base.files.Pointers;
import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.JsonTable;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.input.TextInput;
import io.posbias.rank.Run;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Reader of runs, in the format of their content. */
public final class RunReader {
    private static final int BLANKS = 1 << 16;
    private static final Pattern QUERY = Pattern.compile("(?i)\"(?:query|query[-_]?id|qid|topic|question_id)\"\\s*:");
    private static final Pattern ROWS =
            Pattern.compile("\\[\\s*\\{|\\{\\s*\"(?:[^\"\\\\]|\\\\.)*\"\\s*:\\s*[^{\\[\\s]");
    private static final Pattern JSON = Pattern.compile(".*\\.json(\\.[a-z0-9]+)?");

    private RunReader() {}

    /**
     * Reading of a run of another system.
     *
     * @param byRank true to score passages by the column of ranks instead of the scores
     * @param split of the judgements, which chooses one of several in MTEB's predictions
     * @param isPart true if the benchmark is a part of the run's, so that hits and queries outside it are skipped
     * @param isPartial true for a run that may lack more than a tenth of the judged queries
     */
    public record Options(boolean byRank, String split, boolean isPart, boolean isPartial) {}

    /**
     * @param run with queries in the order of their first lines
     * @param negative number of scores below zero
     * @param stats queries whose scores contradict the ranks, that are not scored or have no hits, by keys of
     *     {@link io.posbias.rank.SearchReport}
     */
    public record Read(Run run, long negative, Map<String, Double> stats) {}

    /**
     * Reads a run of posbias.
     *
     * @param file a run in TREC's format, may be compressed
     */
    public static Read read(Path file, Dataset dataset) {
        return TrecRunReader.read(file, new RunHits(dataset, false, false)).read(file);
    }

    /**
     * Reads a run of another system: a record of JSON by {@link JsonRunReader}, rows by {@link TableRunReader}, else by
     * {@link TrecRunReader}.
     *
     * @param file may be compressed
     * @throws io.posbias.base.json.BadInputException also if the benchmark has fewer than half of its queries or judges none, and if
     *     it lacks more than a tenth of the judged queries and is not said to be partial
     */
    public static Read read(Path file, Dataset dataset, Options options) {
        if (!Pointers.isFile(file)) {
            throw new PosbiasException("cannot read " + file + ": file not found");
        }
        Supplier<RunHits> empty = () -> new RunHits(dataset, options.byRank(), options.isPart());
        RunHits hits = file.toString().endsWith(".parquet")
                ? TableRunReader.read(RowFile.open(file), empty.get())
                : switch (start(file)) {
                    case "rows" -> TableRunReader.read(new JsonTable(file), empty.get());
                    case "record" -> JsonRunReader.read(file, empty, options.split());
                    default -> TrecRunReader.read(file, empty.get());
                };
        if (options.isPart()) {
            return hits.read(file);
        }
        return hits.readOther(file, options.isPartial());
    }

    /** Returns what the file starts with: JSON's rows, whose first field has a value, a record of JSON, or lines. */
    private static String start(Path file) {
        try (InputStream in = new BufferedInputStream(TextInput.open(file))) {
            // A byte order mark and white space may be before it.
            String first = new String(in.readNBytes(BLANKS), StandardCharsets.UTF_8).replaceFirst("^\uFEFF?\\s*", "");
            boolean isJson = JSON.matcher(file.toString()).matches();
            return ROWS.matcher(first).lookingAt() && QUERY.matcher(first).find()
                    ? "rows"
                    : isJson || first.startsWith("{") ? "record" : "lines";
        } catch (IOException problem) {
            throw RowFile.unreadable(file, problem);
        }
    }
}

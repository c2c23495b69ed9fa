package io.posbias.rank.trec;

import io.posbias.base.files.Pointers;
import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.dataset.TextInput;
import io.posbias.rank.Run;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** Reader of runs, in the format of their content. */
public final class RunReader {
    private static final int BLANKS = 1024;
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
     * Reads a run of another system: JSON by {@link JsonRunReader} if it is named so or starts with a brace, else by
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
        RunHits hits = isJson(file)
                ? JsonRunReader.read(
                        file, () -> new RunHits(dataset, options.byRank(), options.isPart()), options.split())
                : TrecRunReader.read(file, new RunHits(dataset, options.byRank(), options.isPart()));
        if (options.isPart()) {
            return hits.read(file);
        }
        return hits.readOther(file, options.isPartial());
    }

    private static boolean isJson(Path file) {
        if (JSON.matcher(file.toString()).matches()) {
            return true;
        }
        try (InputStream in = new BufferedInputStream(TextInput.open(file))) {
            // A byte order mark and white space may be before it.
            for (byte next : in.readNBytes(BLANKS)) {
                if (next > ' ') {
                    return next == '{';
                }
            }
            return false;
        } catch (IOException problem) {
            throw RowFile.unreadable(file, problem);
        }
    }
}

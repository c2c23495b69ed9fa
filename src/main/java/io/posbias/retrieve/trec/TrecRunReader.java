package io.posbias.retrieve.trec;

import io.posbias.BadInputException;
import io.posbias.Location;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.RowFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Reader of TREC runs: {@code query Q0 passage rank score tag}, separated by spaces or tabs, plain or gzipped. Uses
 * scores only, as trec_eval, not the order of lines or the rank column.
 *
 * <p>Refuses, with file and line: a line without six columns, an unknown query or passage, a score that is not a
 * finite number, a passage twice for a query. Negative scores are valid (logits) and counted.
 */
final class TrecRunReader {
    private static final int COLUMNS = 6;

    private TrecRunReader() {}

    static RunReader.Read read(Path file, Dataset dataset) {
        RunHits hits = new RunHits(dataset);
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(RowFile.inflate(file), StandardCharsets.UTF_8))) {
            long line = 1;
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                RunHits.Refusal refusal = add(text, hits);
                if (refusal != null) {
                    throw new BadInputException(new Location(file, line), refusal.found(), refusal.advice());
                }
                line++;
            }
        } catch (IOException problem) {
            throw RowFile.unreadable(file, problem);
        }
        return hits.read(file);
    }

    private static RunHits.@Nullable Refusal add(String line, RunHits hits) {
        StringTokenizer columns = new StringTokenizer(line, " \t\r");
        int count = columns.countTokens();
        if (count == 0) {
            return null;
        }
        if (count != COLUMNS) {
            return new RunHits.Refusal(count + " columns", "a TREC run has six: query Q0 passage rank score tag");
        }
        String query = columns.nextToken();
        columns.nextToken();
        String passage = columns.nextToken();
        columns.nextToken();
        return hits.add(query, passage, columns.nextToken());
    }
}

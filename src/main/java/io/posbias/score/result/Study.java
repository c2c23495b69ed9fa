package io.posbias.score.result;

import io.posbias.base.table.RecordCsv;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Outputs of a command of models, declared beside the records that it writes. The reference of columns and the tests of schemas
 * iterate over the studies of all commands.
 *
 * @param schema of result.json, or of {@code --format json}, in {@code docs/schema}
 * @param file the record that it holds
 * @param printed {@code --format csv}
 * @param scores scores.csv; null for none
 */
public record Study(
        String schema,
        Class<? extends Record> file,
        Csv printed,
        @Nullable Csv scores) {
    /** @param rows what a line is */
    public record Csv(String rows, RecordCsv<?> lines) {}

    /** A command that runs a study. */
    public interface Command {
        Study study();

        /** Returns studies that an option runs instead, by the option. */
        default Map<String, Study> others() {
            return Map.of();
        }
    }
}

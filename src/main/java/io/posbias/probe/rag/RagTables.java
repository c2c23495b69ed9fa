package io.posbias.probe.rag;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Configs;
import io.posbias.probe.PairTest;
import io.posbias.stats.Estimate;
import io.posbias.table.CsvRows;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How often a reader was right with each document, as a table, JSON and CSV.
 *
 * @param reader who was asked
 * @param judge who judged
 * @param sampling what both were told of how to choose tokens
 * @param promptsSha256 of the file of prompts
 * @param confidence of intervals
 * @param published whether the paper's Table 5 follows in tables
 */
public record RagTables(
        RagModel reader,
        RagModel judge,
        String sampling,
        String promptsSha256,
        double confidence,
        RagSample sample,
        RagResult result,
        boolean published) {
    private static final String PUBLISHED = "data/published/colder-rag-table5.csv";

    /** A language model, and what its replies took. */
    public record RagModel(
            String model, String address, @JsonUnwrapped RagResult.RagEffort effort) {}

    /**
     * An accuracy of a reader.
     *
     * @param n how many answers
     * @param correct how many of them are right
     * @param found null for what the paper printed
     * @param difference to the same without any document; null likewise, and for that itself
     */
    private record RagRow(
            String reader,
            String document,
            int n,
            int correct,
            RagResult.@Nullable RagAccuracy found,
            @Nullable Estimate difference) {
        double share() {
            return (double) correct / n;
        }

        <T> @Nullable T of(Function<RagResult.RagAccuracy, T> number) {
            return found == null ? null : number.apply(found);
        }
    }

    private static final Sheet<RagRow> ROWS = new Sheet<RagRow>()
            .plain("reader", RagRow::reader)
            .means("name of the language model that answers; of published rows with ` (published)`")
            .only(Sheet.In.CSV)
            .plain("document", RagRow::document)
            .means("what it was given: `poison`, `foil`, `none` or `evidence`")
            .plain("n", RagRow::n)
            .means("answers", "count")
            .plain("correct", RagRow::correct)
            .means("answers that the judge took for right", "count")
            .number("accuracy", NumberFormat.PERCENT, RagRow::share)
            .means("their share")
            .interval("accuracy", NumberFormat.POINTS, row -> row.of(RagResult.RagAccuracy::interval))
            .estimate("less_none", "less_none", "p_value", NumberFormat.SIGNED_POINTS, RagRow::difference)
            .means("accuracy minus that without a document, over the same queries")
            .headed("minus none")
            .plain("abstained", row -> row.of(RagResult.RagAccuracy::abstained))
            .means("wrong answers that said the document does not provide it", "count")
            .plain("unclear", row -> row.of(RagResult.RagAccuracy::unclear))
            .means("answers counted as wrong because the judge said neither yes nor no", "count")
            .plain("empty", row -> row.of(RagResult.RagAccuracy::empty))
            .means("empty answers, counted as wrong", "count");

    private List<RagRow> rows() {
        List<RagRow> rows = new ArrayList<>();
        result.accuracies()
                .forEach(found -> rows.add(new RagRow(
                        reader.model(),
                        found.document().toString(),
                        found.n(),
                        found.correct(),
                        found,
                        difference(found.document()))));
        if (published) {
            CsvRows.read(Path.of(PUBLISHED), Configs.read(PUBLISHED))
                    .forEach(line -> rows.add(new RagRow(
                            line.text("reader") + " (published)",
                            line.text("document"),
                            line.parsedInteger("n"),
                            line.parsedInteger("correct"),
                            null,
                            null)));
        }
        return rows;
    }

    private @Nullable Estimate difference(RagDocument document) {
        return result.differences().stream()
                .filter(test -> test.comparison().equals(document + " - " + RagDocument.NONE))
                .findFirst()
                .map(PairTest::difference)
                .orElse(null);
    }

    /** A row for each document under the reader's name. */
    public Table table() {
        List<Table.Row> printed = new ArrayList<>();
        String before = "";
        for (RagRow row : rows()) {
            if (!row.reader().equals(before)) {
                printed.add(new Table.Row(List.of(row.reader())));
            }
            before = row.reader();
            printed.add(ROWS.print("", row));
        }
        return ROWS.tableOf(
                "", "Answers of a reader by the document it is given (judge: " + judge.model() + ")", printed, notes());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(List.of(
                "intervals: " + NumberFormat.percent(confidence) + ", Wilson's of the accuracy; paired t over"
                        + " the same queries of the difference to no document, in points",
                "all counted as wrong: abstained: the judge said yes to \"document does not provide\"; "
                        + "unclear: neither yes nor no; empty: no answer",
                "wrong answers in poison: " + String.join(", ", sample.poisonBy())));
        if (reader.model().equals(judge.model()) && reader.address().equals(judge.address())) {
            notes.add("the reader judges its own answers, and models favour their own; --judge-model names another");
        }
        return notes;
    }

    /** All numbers in one table, a row for each reader and document; shares, not percent. */
    public Table raw() {
        return ROWS.raw(rows());
    }

    /**
     * What result.json holds.
     *
     * @param promptsSha256 of the file of prompts
     * @param dataSha256 of the probes' files, by name
     * @param poisonBy what made wrong answers
     * @param queries those that were asked
     * @param candidates queries with foil and poison
     * @param withoutPoison queries left out without a poison
     * @param accuracy with each document
     * @param differences each document but none minus none
     */
    public record RagFile(
            String schema,
            RagModel reader,
            RagModel judge,
            String sampling,
            String promptsSha256,
            Map<String, String> dataSha256,
            List<String> poisonBy,
            int queries,
            int candidates,
            int withoutPoison,
            double confidence,
            List<RagResult.RagAccuracy> accuracy,
            List<PairTest> differences) {}

    /** The result as a record of JSON. */
    public RagFile document() {
        return new RagFile(
                "posbias/rag-result/1",
                reader,
                judge,
                sampling,
                promptsSha256,
                sample.sha256(),
                sample.poisonBy(),
                sample.items().size(),
                sample.candidates(),
                sample.withoutPoison(),
                confidence,
                result.accuracies(),
                result.differences());
    }

    /** One line for each answer. */
    public Table answers() {
        return ANSWERS.raw(result.answers());
    }

    private static final Sheet<RagResult.RagAnswer> ANSWERS = new Sheet<RagResult.RagAnswer>()
            .plain("id", RagResult.RagAnswer::id)
            .means("identifier of the query")
            .plain("document", RagResult.RagAnswer::document)
            .means("what the reader was given")
            .plain("correct", answer -> answer.verdict() == RagVerdict.CORRECT ? 1 : 0)
            .means("1 for a right answer", "1 or 0")
            .plain("verdict", RagResult.RagAnswer::verdict)
            .means("what the judge said of it, in a word")
            .plain("answer", RagResult.RagAnswer::answer)
            .means("the answer as it came")
            .plain("judge", RagResult.RagAnswer::judged)
            .means("the judge's reply; empty where it was not asked");

    /** The columns of {@link #raw}, for the reference. */
    public static Sheet<?> columns() {
        return ROWS;
    }

    /** The columns of {@link #answers}, for the reference. */
    public static Sheet<?> answerColumns() {
        return ANSWERS;
    }
}

package io.posbias.probe.rag;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Configs;
import io.posbias.probe.PairTest;
import io.posbias.probe.rag.RagItem.RagDocument;
import io.posbias.probe.rag.RagResult.RagVerdict;
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
 * Accuracy of a reader by document, as table, JSON and CSV.
 *
 * @param sampling sampling settings of both models
 * @param published true to add the paper's Table 5
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

    /** A language model with its usage. */
    public record RagModel(
            String model, String address, @JsonUnwrapped RagResult.RagEffort effort) {}

    /**
     * Accuracy of a reader.
     *
     * @param found null for published rows
     * @param difference from no document; null for published rows and no document
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
            .means("name of the answering language model; published rows end in ` (published)`")
            .only(Sheet.In.CSV)
            .plain("document", RagRow::document)
            .means("document given to it: `poison`, `foil`, `none` or `evidence`")
            .plain("n", RagRow::n)
            .means("answers", "count")
            .plain("correct", RagRow::correct)
            .means("answers that the judge accepted", "count")
            .number("accuracy", NumberFormat.PERCENT, RagRow::share)
            .means("share of accepted answers")
            .interval("accuracy", NumberFormat.POINTS, row -> row.of(RagResult.RagAccuracy::interval))
            .estimate("less_none", "less_none", "p_value", NumberFormat.SIGNED_POINTS, RagRow::difference)
            .means("accuracy minus that without a document, over the same queries")
            .headed("minus none")
            .plain("abstained", row -> row.of(RagResult.RagAccuracy::abstained))
            .means("wrong answers that call the document insufficient", "count")
            .plain("unclear", row -> row.of(RagResult.RagAccuracy::unclear))
            .means("answers counted as wrong because the verdict is neither yes nor no", "count")
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
                        + "unclear: neither yes nor no; empty: no answer"));
        if (!sample.poisonBy().isEmpty()) {
            notes.add("wrong answers in poison: " + String.join(", ", sample.poisonBy()));
        }
        if (reader.model().equals(judge.model()) && reader.address().equals(judge.address())) {
            notes.add("the reader judges its own answers, and models favour their own; --judge-model names another");
        }
        return notes;
    }

    /** All numbers; shares are fractions. */
    public Table raw() {
        return ROWS.raw(rows());
    }

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

    public Table answers() {
        return ANSWERS.raw(result.answers());
    }

    private static final Sheet<RagResult.RagAnswer> ANSWERS = new Sheet<RagResult.RagAnswer>()
            .plain("id", RagResult.RagAnswer::id)
            .means("identifier of the query")
            .plain("document", RagResult.RagAnswer::document)
            .means("document given to the reader")
            .plain("correct", answer -> answer.verdict() == RagVerdict.CORRECT ? 1 : 0)
            .means("1 for a right answer", "1 or 0")
            .plain("verdict", RagResult.RagAnswer::verdict)
            .means("the judge's verdict")
            .plain("answer", RagResult.RagAnswer::answer)
            .means("the answer, unchanged")
            .plain("judge", RagResult.RagAnswer::judged)
            .means("the judge's reply; empty for empty answers");

    public static Sheet<?> columns() {
        return ROWS;
    }

    public static Sheet<?> answerColumns() {
        return ANSWERS;
    }
}

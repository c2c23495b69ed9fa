package io.posbias.study.probe.rag;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Columns;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.score.result.Study;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.rag.RagItem.RagDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    public record RagModel(
            String model, String address, @JsonUnwrapped RagResult.RagEffort effort) {}

    /** Accuracy of a reader; of published rows only counts are known. */
    private record RagRow(
            @Meaning("name of the answering language model; published rows end in ` (published)`")
            String reader,

            @JsonUnwrapped RagResult.RagShare accepted,

            @Meaning("both ends of Wilson's interval of `share`") @Nullable
            Interval interval,

            @JsonUnwrapped RagResult.@Nullable RagWrong wrong,

            @Meaning("accuracy minus that without a document, over the same queries, with interval and p-value")
            @Nullable
            Estimate lessNone) {}

    private static final RecordCsv<RagRow> LINES = new RecordCsv<>(RagRow.class);

    private static final Columns<RagRow> COLUMNS = new Columns<RagRow>()
            .text("document", row -> row.accepted().document())
            .text("n", row -> row.accepted().n())
            .text("correct", row -> row.accepted().correct())
            .number("accuracy", NumberFormat.PERCENT, row -> row.accepted().share())
            .interval(NumberFormat.POINTS, RagRow::interval)
            .estimate("minus none", NumberFormat.SIGNED_POINTS, RagRow::lessNone)
            .part(
                    RagRow::wrong,
                    new Columns<RagResult.RagWrong>()
                            .text("abstained", RagResult.RagWrong::abstained)
                            .text("unclear", RagResult.RagWrong::unclear)
                            .text("empty", RagResult.RagWrong::empty));

    private List<RagRow> rows() {
        List<RagRow> rows = new ArrayList<>();
        result.accuracies()
                .forEach(found -> rows.add(new RagRow(
                        reader.model(),
                        found.accepted(),
                        found.interval(),
                        found.wrong(),
                        difference(found.accepted().document()))));
        if (published) {
            for (Fields line : CsvRows.bundled(PUBLISHED)) {
                RagDocument document = RagDocument.valueOf(line.text("document").toUpperCase(Locale.ROOT));
                int n = line.parsedInteger("n");
                int correct = line.parsedInteger("correct");
                RagResult.RagShare accepted = new RagResult.RagShare(document, n, correct, (double) correct / n);
                rows.add(new RagRow(line.text("reader") + " (published)", accepted, null, null, null));
            }
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
            printed.add(COLUMNS.row(row));
        }
        return COLUMNS.tableOf(
                "Answers of a reader by the document it is given (judge: " + judge.model() + ")", printed, notes());
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
        return LINES.table(rows());
    }

    public static Study study() {
        return new Study(
                "rag-result-1",
                RagFile.class,
                new Study.Csv("A line for each reader and document.", LINES),
                new Study.Csv("A line for each answer.", ANSWERS));
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
        return ANSWERS.table(result.answers());
    }

    public static final RecordCsv<RagResult.RagAnswer> ANSWERS = new RecordCsv<>(RagResult.RagAnswer.class);
}

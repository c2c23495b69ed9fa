package io.posbias.probe.rag;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.probe.PairTest;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import io.posbias.table.CsvRows;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How often a reader was right with each document, as a table, JSON and CSV. */
public final class RagTables {
    private static final String PUBLISHED = "data/published/colder-rag-table5.csv";

    private RagTables() {}

    /**
     * Who was asked, and how.
     *
     * @param reader the reader's name
     * @param readerAddress where it was
     * @param judge the judge's name
     * @param judgeAddress where that was
     * @param sampling what both were told of how to choose tokens
     * @param promptsSha256 of the file of prompts
     * @param confidence of intervals
     */
    public record Asked(
            String reader,
            String readerAddress,
            String judge,
            String judgeAddress,
            String sampling,
            String promptsSha256,
            double confidence) {}

    /**
     * An accuracy of a reader.
     *
     * @param n how many answers
     * @param correct how many of them are right
     * @param interval of the share of these; null for what the paper printed
     * @param difference to the same without any document; null likewise, and for that itself
     * @param abstained see {@link RagResult.Accuracy}; null for what the paper printed
     */
    private record Row(
            String reader,
            String document,
            int n,
            int correct,
            @Nullable Interval interval,
            @Nullable Estimate difference,
            @Nullable Integer abstained,
            @Nullable Integer unclear,
            @Nullable Integer empty) {
        double share() {
            return (double) correct / n;
        }
    }

    private static final Sheet<Row> ROWS = new Sheet<Row>()
            .plain("reader", Row::reader)
            .only(Sheet.In.CSV)
            .plain("document", Row::document)
            .plain("n", Row::n)
            .plain("correct", Row::correct)
            .number("accuracy", Unit.PERCENT, Row::share)
            .interval("accuracy", Unit.POINTS, Row::interval)
            .estimate("less_none", "less_none", "p_value", Unit.SIGNED_TENTHS, Row::difference)
            .headed("less none")
            .plain("abstained", Row::abstained)
            .plain("unclear", Row::unclear)
            .plain("empty", Row::empty);

    private static List<Row> rows(Asked asked, RagResult result) {
        List<Row> rows = new ArrayList<>();
        for (RagResult.Accuracy accuracy : result.accuracies()) {
            rows.add(new Row(
                    asked.reader(),
                    accuracy.document().toString(),
                    accuracy.n(),
                    accuracy.correct(),
                    accuracy.interval(),
                    difference(result, accuracy.document()),
                    accuracy.abstained(),
                    accuracy.unclear(),
                    accuracy.empty()));
        }
        return rows;
    }

    private static @Nullable Estimate difference(RagResult result, RagDocument document) {
        return result.differences().stream()
                .filter(test -> test.comparison().equals(document + " - " + RagDocument.NONE))
                .findFirst()
                .map(PairTest::difference)
                .orElse(null);
    }

    private static List<Row> published() {
        return CsvRows.read(Path.of(PUBLISHED), Configs.read(PUBLISHED)).stream()
                .map(RagTables::published)
                .toList();
    }

    private static Row published(Fields line) {
        return new Row(
                line.text("reader") + " (published)",
                line.text("document"),
                line.parsedInteger("n"),
                line.parsedInteger("correct"),
                null,
                null,
                null,
                null,
                null);
    }

    /**
     * A row for each document under the reader's name.
     *
     * @param published whether the paper's Table 5 follows
     */
    public static Table table(Asked asked, RagSample sample, RagResult result, boolean published) {
        List<Row> rows = all(asked, result, published);
        List<Table.Row> printed = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            String reader = rows.get(i).reader();
            if (i == 0 || !reader.equals(rows.get(i - 1).reader())) {
                printed.add(new Table.Row(List.of(reader)));
            }
            printed.add(ROWS.print("", rows.get(i)));
        }
        return ROWS.tableOf(
                "",
                "Answers of a reader by the document it is given (judge: " + asked.judge() + ")",
                printed,
                List.of(
                        "intervals: " + Unit.percent(asked.confidence())
                                + ", Wilson's of the accuracy; paired t over"
                                + " the same queries of the difference to no document, in points",
                        "all wrong: abstained: the judge said yes to \"document does not provide\"; unclear: it said"
                                + " neither yes nor no; empty: no answer",
                        "wrong answers in poison: " + String.join(", ", sample.poisonBy())));
    }

    private static List<Row> all(Asked asked, RagResult result, boolean published) {
        List<Row> rows = rows(asked, result);
        if (published) {
            rows.addAll(published());
        }
        return rows;
    }

    /**
     * All numbers in one table, a row for each reader and document; shares, not percent.
     *
     * @param published whether the paper's Table 5 follows
     */
    public static Table raw(Asked asked, RagResult result, boolean published) {
        return ROWS.raw(all(asked, result, published));
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
     * @param differences each document but none less none
     */
    public record Document(
            String schema,
            Model reader,
            Model judge,
            String sampling,
            String promptsSha256,
            Map<String, String> dataSha256,
            List<String> poisonBy,
            int queries,
            int candidates,
            int withoutPoison,
            double confidence,
            List<RagResult.Accuracy> accuracy,
            List<PairTest> differences) {}

    /** A language model. */
    public record Model(
            String model, String address, @JsonUnwrapped RagResult.Effort effort) {}

    /** The result as a record of JSON. */
    public static Document document(Asked asked, RagSample sample, RagResult result) {
        return new Document(
                "posbias/rag-result/1",
                new Model(asked.reader(), asked.readerAddress(), result.reader()),
                new Model(asked.judge(), asked.judgeAddress(), result.judge()),
                asked.sampling(),
                asked.promptsSha256(),
                sample.sha256(),
                List.copyOf(sample.poisonBy()),
                sample.items().size(),
                sample.candidates(),
                sample.withoutPoison(),
                asked.confidence(),
                result.accuracies(),
                result.differences());
    }

    /** One line for each answer. */
    public static Table answers(RagResult result) {
        return new Sheet<RagAnswer>()
                .plain("id", RagAnswer::id)
                .plain("document", RagAnswer::document)
                .plain("correct", answer -> answer.verdict() == RagVerdict.CORRECT ? 1 : 0)
                .plain("verdict", RagAnswer::verdict)
                .plain("answer", RagAnswer::answer)
                .plain("judge", RagAnswer::judged)
                .raw(result.answers());
    }
}

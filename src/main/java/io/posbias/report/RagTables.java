package io.posbias.report;

import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.probe.PairTest;
import io.posbias.probe.RagAnswer;
import io.posbias.probe.RagDocument;
import io.posbias.probe.RagResult;
import io.posbias.probe.RagSample;
import io.posbias.probe.RagVerdict;
import io.posbias.stats.Estimate;
import io.posbias.stats.Proportion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How often a reader was right with each document, as a table, JSON and CSV. */
public final class RagTables {
    /** The schema of the JSON. */
    public static final String SCHEMA = "posbias/rag-result/1";

    private static final String PUBLISHED = "data/published/colder-rag-table5.csv";

    private static final List<String> TIDY = List.of(
            "reader",
            "document",
            "n",
            "correct",
            "accuracy",
            "accuracy_low",
            "accuracy_high",
            "less_none",
            "less_none_low",
            "less_none_high",
            "p_value",
            "abstained",
            "unclear",
            "empty");

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
     * A row for each document under the reader's name.
     *
     * @param published whether the paper's Table 5 follows
     */
    public static Table table(Asked asked, RagSample sample, RagResult result, boolean published) {
        List<Table.Row> rows = new ArrayList<>();
        rows.add(new Table.Row(List.of(asked.reader())));
        result.accuracies().forEach(accuracy -> rows.add(row(accuracy, difference(result, accuracy.document()))));
        if (published) {
            rows.addAll(published());
        }
        return new Table(
                "Answers of a reader by the document it is given (judge: " + asked.judge() + ")",
                List.of(),
                List.of(
                        "document",
                        "n",
                        "correct",
                        "accuracy",
                        "interval",
                        "less none",
                        "interval",
                        "p",
                        "abstained",
                        "unclear",
                        "empty"),
                rows,
                List.of(
                        "intervals: " + Numbers.percent(asked.confidence())
                                + ", Wilson's of the accuracy; paired t over"
                                + " the same queries of the difference to no document, in points",
                        "all wrong: abstained: the judge said yes to \"document does not provide\"; unclear: it said"
                                + " neither yes nor no; empty: no answer",
                        "wrong answers in poison: " + String.join(", ", sample.poisonBy())));
    }

    private static @Nullable PairTest difference(RagResult result, RagDocument document) {
        return result.differences().stream()
                .filter(test -> test.comparison().equals(document + " - " + RagDocument.NONE))
                .findFirst()
                .orElse(null);
    }

    private static Table.Row row(RagResult.Accuracy accuracy, @Nullable PairTest test) {
        Proportion correct = accuracy.correct();
        Estimate difference = test == null ? null : test.difference();
        return new Table.Row(List.of(
                accuracy.document().toString(),
                String.valueOf(correct.n()),
                String.valueOf(correct.hits()),
                String.format(Locale.ROOT, "%.1f%%", 100 * correct.share()),
                Numbers.points(correct.interval()),
                difference == null ? Numbers.NONE : tenths(difference.value()),
                difference == null
                        ? Numbers.NONE
                        : "[" + tenths(difference.interval().low()) + ", "
                                + tenths(difference.interval().high()) + "]",
                difference == null ? Numbers.NONE : Numbers.pValue(difference.pValue()),
                String.valueOf(accuracy.abstained()),
                String.valueOf(accuracy.unclear()),
                String.valueOf(accuracy.empty())));
    }

    private static String tenths(double fraction) {
        return String.format(Locale.ROOT, "%+.1f", 100 * fraction);
    }

    private static List<Table.Row> published() {
        List<Table.Row> rows = new ArrayList<>();
        String last = "";
        for (Fields line : CsvRows.read(Path.of(PUBLISHED), Configs.read(PUBLISHED))) {
            String reader = line.text("reader");
            if (!reader.equals(last)) {
                rows.add(new Table.Row(List.of(reader + " (published)")));
                last = reader;
            }
            List<String> row = new ArrayList<>(List.of(
                    line.text("document"), line.text("n"), line.text("correct"), line.text("accuracy_percent") + "%"));
            while (row.size() < 11) {
                row.add(Numbers.NONE);
            }
            rows.add(new Table.Row(row));
        }
        return rows;
    }

    /**
     * All numbers in one table, a row for each reader and document; shares, not percent.
     *
     * @param published whether the paper's Table 5 follows
     */
    public static Table tidy(Asked asked, RagResult result, boolean published) {
        List<Table.Row> rows = new ArrayList<>();
        result.accuracies()
                .forEach(accuracy -> rows.add(tidy(asked, accuracy, difference(result, accuracy.document()))));
        if (published) {
            for (Fields line : CsvRows.read(Path.of(PUBLISHED), Configs.read(PUBLISHED))) {
                rows.add(Plain.row(
                        List.of(
                                line.text("reader") + " (published)",
                                line.text("document"),
                                line.text("n"),
                                line.text("correct"),
                                String.valueOf((double) line.parsedInteger("correct") / line.parsedInteger("n"))),
                        TIDY.size()));
            }
        }
        return new Table("", List.of(), TIDY, rows, List.of());
    }

    private static Table.Row tidy(Asked asked, RagResult.Accuracy accuracy, @Nullable PairTest test) {
        Proportion correct = accuracy.correct();
        List<String> cells = new ArrayList<>(List.of(
                asked.reader(),
                accuracy.document().toString(),
                String.valueOf(correct.n()),
                String.valueOf(correct.hits()),
                String.valueOf(correct.share()),
                String.valueOf(correct.interval().low()),
                String.valueOf(correct.interval().high())));
        cells.addAll(Plain.estimate(test == null ? null : test.difference()));
        cells.add(String.valueOf(accuracy.abstained()));
        cells.add(String.valueOf(accuracy.unclear()));
        cells.add(String.valueOf(accuracy.empty()));
        return new Table.Row(cells);
    }

    /** The result as a JSON document in UTF-8. */
    public static byte[] toBytes(Asked asked, RagSample sample, RagResult result) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("reader", model(asked.reader(), asked.readerAddress(), result.reader()));
        document.put("judge", model(asked.judge(), asked.judgeAddress(), result.judge()));
        document.put("sampling", asked.sampling());
        document.put("prompts_sha256", asked.promptsSha256());
        document.put("data_sha256", sample.sha256());
        document.put("poison_by", sample.poisonBy());
        document.put("queries", sample.items().size());
        document.put("candidates", sample.candidates());
        document.put("without_poison", sample.withoutPoison());
        document.put("confidence", asked.confidence());
        document.put(
                "accuracy", result.accuracies().stream().map(RagTables::toMap).toList());
        document.put(
                "differences",
                result.differences().stream().map(ProbeFiles::toMap).toList());
        return Json.toBytes(document);
    }

    private static Map<String, Object> model(String name, String address, RagResult.Effort effort) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("model", name);
        map.put("address", address);
        map.put("replies", effort.replies());
        map.put("tokens", effort.tokens());
        map.put("replies_without_tokens", effort.uncounted());
        return map;
    }

    private static Map<String, Object> toMap(RagResult.Accuracy accuracy) {
        Map<String, Object> map = new LinkedHashMap<>();
        Proportion correct = accuracy.correct();
        map.put("document", accuracy.document().toString());
        map.put("n", correct.n());
        map.put("correct", correct.hits());
        map.put("share", correct.share());
        map.put("interval", List.of(correct.interval().low(), correct.interval().high()));
        map.put("abstained", accuracy.abstained());
        map.put("unclear", accuracy.unclear());
        map.put("empty", accuracy.empty());
        return map;
    }

    /** One line for each answer. */
    public static String csv(RagResult result) {
        return CsvTable.lines(lines -> {
            lines.accept(List.of("id", "document", "correct", "verdict", "answer", "judge"));
            for (RagAnswer answer : result.answers()) {
                lines.accept(List.of(
                        answer.id(),
                        answer.document().toString(),
                        answer.verdict() == RagVerdict.CORRECT ? "1" : "0",
                        answer.verdict().toString(),
                        answer.answer(),
                        answer.judged()));
            }
        });
    }
}

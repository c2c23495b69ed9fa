package io.posbias.data.convert;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.dataset.TrainingRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A row of a file with a question, its answers and the text that they stand in. Columns have one of several names, in any case.
 *
 * @param fields of the row, for errors
 * @param id of the question; the number of its row, from 1, if the row has none
 * @param answers empty for an unanswerable question
 * @param title of the context; empty if unknown
 * @param others texts that do not answer it, as DPR's files have them
 */
record QuestionRow(
        Fields fields,
        String id,
        String question,
        List<Answer> answers,
        String context,
        String title,
        List<TrainingRow.Text> others) {
    /** DPR's lists of records, with the texts that answer the question and others. */
    private static final String DPR = "positive_ctxs";

    private static final List<String> OTHERS = List.of("negative_ctxs", "hard_negative_ctxs");
    private static final List<String> QUESTION = List.of("question", "query");
    private static final List<String> ANSWER = List.of("answers", "answer", "answer_text", "ground_truth");
    private static final List<String> CONTEXT =
            List.of("context", "passage", "document", "paragraph", "contexts", "text", DPR);
    private static final List<String> ID = List.of("id", "_id", "question_id", "query_id");
    private static final String START = "answer_start";
    private static final Pattern LITERAL = Pattern.compile("(?s)\\s*(?:\\{\\s*['\"].*\\}|\\[.*\\])\\s*");
    private static final Pattern ARRAY = Pattern.compile("(?s)\\barray\\((\\[.*?\\])(?:,\\s*dtype=[\\w<>']+)?\\)");
    private static final JsonMapper PYTHON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES, JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .build();

    /** The columns in words, for messages. */
    static final String COLUMNS = "question (or query), answer (or answers) and context (or passage, document, text)";

    /**
     * An answer.
     *
     * @param answerStart offset in the context, as its file counts; null if missing
     */
    record Answer(String text, @Nullable Integer answerStart) {
        /** Returns the start, which some tools write as -1 if it is unknown. */
        Optional<Integer> start() {
            return Optional.ofNullable(answerStart).filter(start -> start >= 0);
        }
    }

    /** Returns true if rows have the columns; not every row need have an answer. */
    static boolean isIn(List<Fields> rows) {
        return List.of(QUESTION, ANSWER, CONTEXT).stream()
                .allMatch(names -> rows.stream()
                        .flatMap(row -> row.names().stream())
                        .anyMatch(name -> names.stream().anyMatch(name::equalsIgnoreCase)));
    }

    /**
     * Visits the rows of a file in their order.
     *
     * @throws BadInputException if a row has no question or context, or an answer is not a text
     */
    static void forEach(RowFile rows, Consumer<QuestionRow> consumer) {
        int[] number = {0};
        rows.forEach(row -> {
            number[0]++;
            if (!row.names().isEmpty()) {
                consumer.accept(of(row, number[0]));
            }
        });
    }

    private static QuestionRow of(Fields row, int number) {
        String id = name(row, ID);
        String context = name(row, CONTEXT);
        List<Fields> positives = context.equals(DPR) ? row.records(DPR) : List.of();
        Fields holder = positives.isEmpty() ? row : positives.getFirst();
        List<TrainingRow.Text> others = new ArrayList<>();
        OTHERS.forEach(name -> row.records(name)
                .forEach(own -> others.add(new TrainingRow.Text("", own.text("title", ""), own.text("text")))));
        return new QuestionRow(
                row,
                row.has(id) ? row.id(id) : "row" + number,
                row.text(name(row, QUESTION)),
                answers(row),
                holder.text(positives.isEmpty() ? context : "text"),
                holder.text(name(holder, List.of("title")), ""),
                others);
    }

    /** Returns the first of the names that the row has, as the row writes it; the usual name if it has none. */
    private static String name(Fields row, List<String> names) {
        return names.stream()
                .flatMap(name -> row.names().stream().filter(name::equalsIgnoreCase))
                .filter(row::has)
                .findFirst()
                .orElse(names.getFirst());
    }

    private static List<Answer> answers(Fields row) {
        String name = name(row, ANSWER);
        Object value = row.raw(name);
        if (value == null) {
            return List.of();
        }
        Object literal = value instanceof String cell ? literal(cell) : null;
        if (literal != null) {
            return answers(row.with(name, literal));
        }
        if (value instanceof Map<?, ?>) {
            Fields record = row.record(name);
            return record.raw("text") instanceof String ? List.of(Json.row(record, Answer.class)) : byColumn(record);
        }
        if (value instanceof List<?> list && list.stream().allMatch(Map.class::isInstance)) {
            return row.records(name).stream()
                    .map(own -> Json.row(own, Answer.class))
                    .toList();
        }
        String text = value instanceof String ? row.text(name) : value.toString();
        if (value instanceof String || value instanceof Integer || value instanceof Long) {
            return List.of(new Answer(text, row.has(START) ? row.parsedInteger(START) : null));
        }
        return row.texts(name).stream().map(own -> new Answer(own, null)).toList();
    }

    /** Reads a list or record that Python wrote into a cell, with arrays of numpy in it or without; null for other texts. */
    private static @Nullable Object literal(String cell) {
        if (!LITERAL.matcher(cell).matches()) {
            return null;
        }
        String json = ARRAY.matcher(cell).replaceAll("$1").replaceAll("\\\\x([0-9a-fA-F]{2})", "\\\\u00$1");
        try {
            return PYTHON.readValue(json, Object.class);
        } catch (JacksonException text) {
            return null;
        }
    }

    /** Reads answers as SQuAD's rows on the Hub have them. */
    private static List<Answer> byColumn(Fields record) {
        record.refuseMisspelt(List.of("text", START));
        List<String> texts = record.texts("text");
        List<Integer> starts = record.integers(START);
        return IntStream.range(0, texts.size())
                .mapToObj(i -> new Answer(texts.get(i), i < starts.size() ? starts.get(i) : null))
                .toList();
    }
}

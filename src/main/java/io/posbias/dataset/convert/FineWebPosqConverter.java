package io.posbias.dataset.convert;

import io.posbias.BadInputException;
import io.posbias.Location;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetWriter;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Query;
import io.posbias.dataset.RowFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * FineWeb-PosQ from its published rows ({@code content}, {@code question}, {@code span_class}): a row with a question
 * gives a query labelled beginning, middle or end (or several of them), a row without one adds its passage only. Queries
 * are numbered {@code q00000} in row order, passages as in {@link DistinctTexts}.
 */
public final class FineWebPosqConverter implements Converter {
    private static final int DIGITS = 5;

    private final List<Path> inputs;
    private final DatasetCard card;
    private final DistinctTexts contents = new DistinctTexts();
    private final Map<String, Question> questions = new LinkedHashMap<>();
    private int passageOnly;

    /**
     * @param inputs JSON lines or Parquet files, in order
     * @param card name, language and the like
     */
    public FineWebPosqConverter(List<Path> inputs, DatasetCard card) {
        this.inputs = List.copyOf(inputs);
        this.card = card;
    }

    private record Question(String text, String content, List<String> labels) {}

    @Override
    public DatasetCard convert(DatasetWriter out) {
        inputs.forEach(input -> RowFile.open(input).forEach(row -> {
            String content = row.text("content");
            contents.add(content);
            String question = row.text("question", "");
            if (question.isEmpty()) {
                passageOnly++;
                return;
            }
            List<String> labels = row.texts("span_class");
            if (labels.isEmpty()) {
                throw row.bad(
                        "span_class", "is missing", "a question says where its answer lies: beginning, middle or end");
            }
            String id = "q" + DistinctTexts.padded(questions.size(), DIGITS);
            questions.put(id, new Question(question, content, labels));
        }));
        if (questions.isEmpty()) {
            throw new BadInputException(Location.of(inputs.getFirst()), "holds no question", "");
        }
        List<Passage> passages = contents.numbered();
        passages.forEach(out::passage);
        Map<String, String> ids = DistinctTexts.idByText(passages);
        questions.forEach((id, question) -> {
            int unknown = Evidence.UNKNOWN;
            Evidence evidence = new Evidence(unknown, unknown, unknown, unknown, question.labels(), null);
            out.query(new Query(id, question.text(), evidence));
            out.judgment(id, String.valueOf(ids.get(question.content())), 1);
        });
        return card;
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (passageOnly > 0) {
            notes.add(passageOnly + " rows without a question added their passage only");
        }
        return notes;
    }
}

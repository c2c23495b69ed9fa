package io.posbias.data.convert;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.RowFile;
import java.nio.file.Path;
import java.util.List;

/**
 * QED (Lamm et al. 2020, arXiv:2009.06354): Natural Questions answered by a Wikipedia paragraph. Every distinct
 * paragraph is a passage, numbered as in {@link DistinctTexts}; every example is a query. Its evidence is the first
 * span of the first answer in {@code original_nq_answers}; QED's {@code annotation.answer} is missing for a quarter
 * of the examples. Offsets are code points of {@code paragraph_text}.
 */
public record QedConverter(List<Path> inputs, DatasetCard card) implements Converter {
    static final PublishedFormat FORMAT = new PublishedFormat(
            "qed",
            "Convert QED: Natural Questions on paragraphs of Wikipedia.",
            List.of(
                    "Read are QED's examples, JSON lines as published; positions are those of the first original answer.",
                    "",
                    "Example:",
                    "  posbias data build qed --input qed-dev.jsonlines --out qed"),
            "google-research-datasets/QED",
            "Lamm et al. 2020, QED: A Framework and Dataset for Explanations in Question Answering, arXiv:2009.06354",
            (files, card) -> new QedConverter(files, card.bucketed()));

    private record Example(@Setting(identifier = true) String exampleId, String questionText, String paragraphText) {}

    private record Answer(int start, int end, String string) {}

    @Override
    public DatasetCard convert(DatasetWriter out) {
        DistinctTexts paragraphs = new DistinctTexts();
        inputs.forEach(input -> RowFile.open(input).forEach(row -> add(row, paragraphs)));
        if (paragraphs.questions() == 0) {
            throw new BadInputException(Location.of(inputs.getFirst()), "holds no question", "");
        }
        paragraphs.write(out);
        return card;
    }

    private static void add(Fields row, DistinctTexts paragraphs) {
        Example example = Json.row(row, Example.class);
        String text = example.paragraphText;
        paragraphs.add(text, row.raw("title_text") instanceof String title ? title : "");
        String id = example.exampleId;
        if (!paragraphs.ask(id, example.questionText, text, evidence(row, text), List.of())) {
            throw row.bad(
                    "example_id",
                    "is " + Printable.quoted(id) + ", which an earlier question has too",
                    "identifiers are unique");
        }
    }

    private static Evidence evidence(Fields row, String text) {
        Fields answers = row.places("original_nq_answers");
        Fields span = answers.names().stream()
                .map(answers::places)
                .filter(spans -> spans.has("0"))
                .map(spans -> spans.record("0"))
                .findFirst()
                .orElseThrow(
                        () -> row.bad("original_nq_answers", "holds no answer", "QED's questions have at least one"));
        Answer answer = Json.row(span, Answer.class);
        int start = answer.start;
        int end = answer.end;
        int length = CodePoints.count(text);
        boolean inside = start >= 0 && start <= end && end <= length;
        if (!inside || !CodePoints.toUtf16(text, start, end).of(text).equals(answer.string)) {
            throw span.bad(
                    "string",
                    "is " + Printable.quoted(answer.string) + ", which the paragraph does not have at [" + start + ", "
                            + end + ")",
                    "start and end count code points of paragraph_text");
        }
        return Evidence.of(start, end, length);
    }
}

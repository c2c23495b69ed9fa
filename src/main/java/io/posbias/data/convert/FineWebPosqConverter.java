package io.posbias.data.convert;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.EvidenceFields;
import io.posbias.data.dataset.PlainDocuments;
import io.posbias.data.dataset.RowFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * FineWeb-PosQ's published rows ({@code content}, {@code question}, {@code span_class}). A row with a question gives
 * a query with position labels; a row without one adds only its passage. Queries are numbered {@code q00000} in row
 * order, passages as in {@link DistinctTexts}.
 */
public record FineWebPosqConverter(List<Path> inputs, DatasetCard card) implements Converter {
    static final PublishedFormat FORMAT = new PublishedFormat(
            "fineweb-posq",
            "Convert FineWeb-PosQ's rows.",
            List.of(
                    "Reads rows with the fields content, question and span_class, also those in a folder that 'posbias construct' wrote.",
                    "",
                    "Example:",
                    "  posbias data build fineweb-posq --input train.parquet --out fineweb-posq"),
            "NovaSearch/FineWeb-PosQ",
            PublishedFormat.POSQ_CITATION,
            (files, card) ->
                    new FineWebPosqConverter(rowFiles(files), card.orBucketing(DatasetCard.FINEWEB_POSQ_BUCKETS)));

    private static final int DIGITS = 5;

    private record Row(
            String content,
            @Setting(usual = "''") String question,
            @Setting(usual = "[]") List<String> spanClass) {}

    private static List<Path> rowFiles(List<Path> given) {
        return given.stream()
                .flatMap(file -> Files.isDirectory(file) ? PlainDocuments.rowFiles(file).stream() : Stream.of(file))
                .toList();
    }

    @Override
    public DatasetCard convert(DatasetWriter out) {
        DistinctTexts contents = new DistinctTexts();
        int[] passageOnly = {0};
        inputs.forEach(input -> RowFile.open(input).forEach(fields -> {
            Row row = Json.row(fields, Row.class);
            contents.add(row.content, "");
            if (row.question.isEmpty()) {
                passageOnly[0]++;
                return;
            }
            List<String> labels = EvidenceFields.labels(fields, row.spanClass);
            if (labels.isEmpty()) {
                throw fields.bad("span_class", "is missing", "it must contain beginning, middle or end");
            }
            String id = "q" + DistinctTexts.padded(contents.questions(), DIGITS);
            int unknown = Evidence.UNKNOWN;
            Evidence evidence = new Evidence(unknown, unknown, unknown, unknown, labels, null);
            contents.ask(id, row.question, row.content, evidence, List.of());
        }));
        if (contents.questions() == 0) {
            throw new BadInputException(Location.of(inputs.getFirst()), "holds no question", "");
        }
        contents.write(out);
        if (passageOnly[0] > 0) {
            out.note("of " + Plural.of(passageOnly[0], "row") + " without a question only the passage was added");
        }
        return card;
    }
}

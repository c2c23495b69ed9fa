package io.posbias.data.convert;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.dataset.TrainingRow;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A training file ({@link TrainingRow}). Each distinct passage is one of the corpus, hard negatives too; each distinct query is
 * one, judged 1 with all passages that any row has as positive for it, and 0 with its other hard negatives.
 */
record TrainingConverter(Path input, DatasetCard card) implements Converter {
    @Override
    public DatasetCard convert(DatasetWriter out) {
        Map<String, Passage> passages = new LinkedHashMap<>();
        Map<String, Map<String, Integer>> judgments = new LinkedHashMap<>();
        RowFile.open(input).forEach(fields -> {
            TrainingRow row = TrainingRow.of(fields)
                    .orElseThrow(() -> new BadInputException(
                            fields.where(), "is no row of a training file", "rows have " + TrainingRow.FORMATS));
            Map<String, Integer> own = judgments.computeIfAbsent(row.query(), unseen -> new LinkedHashMap<>());
            row.positives().forEach(text -> own.put(passage(text, fields, passages), 1));
            row.negatives().forEach(text -> own.putIfAbsent(passage(text, fields, passages), 0));
        });
        passages.values().forEach(out::passage);
        int number = 0;
        for (Map.Entry<String, Map<String, Integer>> asked : judgments.entrySet()) {
            number++;
            String id = "q" + number;
            out.query(new Query(id, asked.getKey(), null));
            asked.getValue().forEach((passage, score) -> out.judgment(id, passage, score));
        }
        return card;
    }

    /** Returns the identifier of a passage, which is kept under its own or that of its format. */
    private static String passage(TrainingRow.Text text, Fields row, Map<String, Passage> passages) {
        String id = text.docid().isEmpty() ? "p" + (passages.size() + 1) : text.docid();
        Passage own = new Passage(id, text.title(), text.text());
        Passage known = passages.putIfAbsent(text.key(), own);
        if (known == null) {
            return id;
        }
        if (!known.text().equals(own.text())) {
            throw new BadInputException(
                    row.where(),
                    "has another text for " + Printable.quoted(id) + " than an earlier row",
                    "a docid is of one passage");
        }
        return known.id();
    }
}

package io.posbias.data.convert;

import io.posbias.base.json.Fields;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark in one record, as LlamaIndex and sentence-transformers have it: {@code corpus} and {@code queries} by identifier,
 * {@code relevant_docs} or {@code qrels} by query, a list of identifiers or grades by identifier.
 */
record JudgedConverter(Fields record, DatasetCard card) implements Converter {
    private static final String CORPUS = "corpus";
    private static final String QUERIES = "queries";

    static boolean fits(Fields record) {
        return record.raw(CORPUS) instanceof Map
                && record.raw(QUERIES) instanceof Map
                && record.has(record.named("relevant_docs", "qrels"));
    }

    @Override
    public DatasetCard convert(DatasetWriter out) {
        Fields corpus = record.record(CORPUS);
        for (String id : corpus.names()) {
            boolean isText = !(corpus.raw(id) instanceof Map);
            Fields passage = isText ? corpus : corpus.record(id);
            out.passage(new Passage(id, isText ? "" : passage.text("title", ""), passage.text(isText ? id : "text")));
        }
        Fields queries = record.record(QUERIES);
        queries.names().forEach(id -> out.query(new Query(id, queries.text(id), null)));
        Fields judged = record.record(record.named("relevant_docs", "qrels"));
        for (String query : judged.names()) {
            @Nullable Object own = judged.raw(query);
            if (own instanceof List) {
                judged.texts(query).stream().distinct().forEach(passage -> out.judgment(query, passage, 1));
            } else {
                Fields grades = judged.record(query);
                grades.names().forEach(passage -> out.judgment(query, passage, grades.parsedInteger(passage)));
            }
        }
        return card;
    }
}

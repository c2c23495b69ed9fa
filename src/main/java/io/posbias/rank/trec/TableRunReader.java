package io.posbias.rank.trec;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.data.dataset.RowFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reader of runs as rows of named columns, one hit each, or one query each with a list of hits: JSON lines, Parquet, tables with
 * a header, answers of Elasticsearch and OpenSearch beside the query's identifier. Names may be in any case.
 */
final class TableRunReader {
    static final String FORM = "rows have query-id, corpus-id and score or rank, or query-id and hits, a list of them";

    private static final List<String> QUERY =
            List.of("query-id", "query_id", "queryid", "qid", "topic", "question_id", "query");
    private static final List<String> PASSAGE = List.of(
            "corpus-id",
            "corpus_id",
            "docno",
            "doc_id",
            "doc-id",
            "docid",
            "did",
            "pid",
            "passage_id",
            "passage-id",
            "document_id",
            "_id",
            "id",
            "id_",
            "node_id");
    private static final List<String> SCORE = List.of("score", "_score", "similarity", "relevance");
    private static final List<String> RANK = List.of("rank", "position");
    private static final List<String> HITS =
            List.of("hits", "results", "result", "matches", "documents", "docs", "passages", "ctxs", "nodes");
    /** Records in a hit that have the identifier. */
    private static final List<String> INNER = List.of("node", "document", "doc", "metadata");

    private TableRunReader() {}

    /** Returns true if names of columns are those of a run. */
    static boolean isHeader(List<String> names) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        names.forEach(name -> row.put(name, name));
        return name(row, QUERY) != null && name(row, PASSAGE) != null;
    }

    static RunHits read(RowFile rows, RunHits hits) {
        rows.forEach(row -> {
            RunHits.Refusal refusal = add(row, hits);
            if (refusal != null) {
                throw new BadInputException(row.where(), refusal.found(), refusal.advice());
            }
        });
        return hits;
    }

    static RunHits.@Nullable Refusal add(Fields row, RunHits hits) {
        Map<String, @Nullable Object> fields = row.toMap();
        String query = name(fields, QUERY);
        String list = name(fields, HITS);
        if (query == null) {
            return new RunHits.Refusal("a row with the fields " + String.join(", ", row.names()), FORM);
        }
        return list != null && !(row.raw(list) instanceof String)
                ? addAll(row.id(query), row.raw(list), row.where(), hits)
                : addHit(row.id(query), row, 0, hits);
    }

    /**
     * Adds the hits of a query: records, identifiers, or pairs of identifier and score, best first; scores by identifier; or an
     * answer of Elasticsearch.
     */
    static RunHits.@Nullable Refusal addAll(String query, @Nullable Object value, Location where, RunHits hits) {
        if (value instanceof Map<?, ?> map) {
            if (map.get("hits") != null) {
                return addAll(query, map.get("hits"), where, hits);
            }
            for (Map.Entry<?, ?> hit : map.entrySet()) {
                RunHits.Refusal refusal =
                        hits.add(query, String.valueOf(hit.getKey()), String.valueOf(hit.getValue()), null);
                if (refusal != null) {
                    return refusal;
                }
            }
            return null;
        }
        int rank = 0;
        for (Object hit : value instanceof List<?> list ? list : List.of()) {
            rank++;
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            if (hit instanceof Map<?, ?> record) {
                record.forEach((name, own) -> fields.put(String.valueOf(name), own));
            } else if (hit instanceof List<?> pair && pair.size() == 2) {
                fields.put("id", pair.get(0));
                fields.put("score", pair.get(1));
            } else {
                fields.put("id", hit);
            }
            RunHits.Refusal refusal = addHit(query, new Fields(where, "hits[" + (rank - 1) + "].", fields), rank, hits);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /** @param place in the list of hits, from 1, which is the rank of a hit without one; 0 outside a list */
    private static RunHits.@Nullable Refusal addHit(String query, Fields hit, int place, RunHits hits) {
        Map<String, @Nullable Object> fields = hit.toMap();
        for (String inner : INNER) {
            if (name(fields, PASSAGE) == null && fields.get(inner) instanceof Map<?, ?> own) {
                own.forEach((name, value) -> fields.putIfAbsent(String.valueOf(name), value));
            }
        }
        String passage = name(fields, PASSAGE);
        String score = name(fields, SCORE);
        String rank = name(fields, RANK);
        if (passage == null || (score == null && rank == null && place == 0)) {
            return new RunHits.Refusal("a hit with the fields " + String.join(", ", fields.keySet()), FORM);
        }
        Fields flat = new Fields(hit.where(), fields);
        return hits.add(
                query,
                flat.id(passage),
                score == null ? null : String.valueOf(flat.plain(score)),
                rank == null ? place == 0 ? null : String.valueOf(place) : String.valueOf(flat.plain(rank)));
    }

    /** Returns the first of the names that has a value, as the row writes it; null without one. */
    private static @Nullable String name(Map<String, @Nullable Object> row, List<String> names) {
        for (String name : names) {
            for (Map.Entry<String, @Nullable Object> field : row.entrySet()) {
                if (field.getValue() != null
                        && field.getKey().toLowerCase(Locale.ROOT).equals(name)) {
                    return field.getKey();
                }
            }
        }
        return null;
    }
}

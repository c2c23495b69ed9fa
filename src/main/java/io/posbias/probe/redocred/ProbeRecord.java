package io.posbias.probe.redocred;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A query and one or two texts to be scored: a line of a probe's file.
 *
 * @param probe the probe's name
 * @param id the query's id; records with the same id belong together
 * @param query the question
 * @param text1 what the paper's test has first
 * @param text2 what its score is taken from; null where a record holds one text
 * @param tags strings and whole numbers by name
 * @param evidence the evidence sentence, for those that ask a reader about the texts; null where nobody does
 */
record ProbeRecord(
        String probe,
        String id,
        String query,
        Composition text1,
        @Nullable Composition text2,
        Map<String, Object> tags,
        @Nullable String evidence) {
    ProbeRecord {
        tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
    }

    /** A pair for a query, with the tags that all records have. */
    static ProbeRecord pair(String probe, ProbeQuery query, Composition text1, Composition text2) {
        return new ProbeRecord(probe, query.id(), query.text(), text1, text2, tags(query), null);
    }

    /** A single text for a query, with the tags that all records have. */
    static ProbeRecord single(String probe, ProbeQuery query, Composition text) {
        return new ProbeRecord(probe, query.id(), query.text(), text, null, tags(query), null);
    }

    private static Map<String, Object> tags(ProbeQuery query) {
        Map<String, Object> tags = new LinkedHashMap<>();
        tags.put("title", query.title());
        tags.put("relation", query.relation());
        tags.put("head", query.head().longestName());
        tags.put("tail", query.tail().longestName());
        // The grid has queries whose evidence is several sentences together.
        if (Filters.singleEvidence(query)) {
            tags.put("evidence", query.evidence());
        }
        return tags;
    }

    /** The same record with one tag more. */
    ProbeRecord with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(tags);
        more.put(name, value);
        return new ProbeRecord(probe, id, query, text1, text2, more, evidence);
    }

    /** The same record with another question. */
    ProbeRecord asking(String other) {
        return new ProbeRecord(probe, id, other, text1, text2, tags, evidence);
    }

    /** The same record with its evidence sentence. */
    ProbeRecord quoting(String sentence) {
        return new ProbeRecord(probe, id, query, text1, text2, tags, sentence);
    }

    /** The fields of its line, in order. */
    Map<String, Object> toMap() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("probe", probe);
        fields.put("id", id);
        fields.put("query", query);
        fields.put("text1", text1.text());
        if (text2 != null) {
            fields.put("text2", text2.text());
        }
        if (evidence != null) {
            fields.put("evidence", evidence);
        }
        fields.put("tags", tags);
        fields.put("sources1", sources(text1));
        if (text2 != null) {
            fields.put("sources2", sources(text2));
        }
        return fields;
    }

    private static List<Map<String, Object>> sources(Composition text) {
        List<Map<String, Object>> sources = new ArrayList<>();
        for (Source source : text.sources()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("title", source.title());
            fields.put("sentence", source.sentence());
            if (source.changed()) {
                fields.put("changed", true);
            }
            sources.add(fields);
        }
        return sources;
    }
}

package io.posbias.probe.redocred;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.probe.ProbeType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line of a probe's file: a query with one or two texts.
 *
 * @param text2 null for records of one text
 * @param evidence the evidence sentence, for judging answers; null if not needed
 * @param sources1 null for imported records
 * @param sources2 null for imported records and records of one text
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ProbeRecord(
        String probe,
        String id,
        String query,
        String text1,
        @Nullable String text2,
        @Nullable String evidence,
        Map<String, Object> tags,
        @Nullable List<Composition.CompositionSource> sources1,
        @Nullable List<Composition.CompositionSource> sources2) {
    /** A record with the common tags. */
    static ProbeRecord of(ProbeType probe, ProbeQuery query, Composition text1, @Nullable Composition text2) {
        Map<String, Object> tags = new LinkedHashMap<>();
        tags.put("title", query.title());
        tags.put("relation", query.relation());
        tags.put("head", query.head().longestName());
        tags.put("tail", query.tail().longestName());
        // The grid has queries whose evidence is several sentences together.
        if (query.singleEvidence()) {
            tags.put("evidence", query.evidence());
        }
        return new ProbeRecord(
                probe.name(),
                query.id(),
                query.text(),
                text1.text(),
                text2 == null ? null : text2.text(),
                null,
                tags,
                text1.sources(),
                text2 == null ? null : text2.sources());
    }

    ProbeRecord with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(tags);
        more.put(name, value);
        return new ProbeRecord(probe, id, query, text1, text2, evidence, more, sources1, sources2);
    }

    ProbeRecord asking(String other) {
        return new ProbeRecord(probe, id, other, text1, text2, evidence, tags, sources1, sources2);
    }

    ProbeRecord quoting(String sentence) {
        return new ProbeRecord(probe, id, query, text1, text2, sentence, tags, sources1, sources2);
    }
}

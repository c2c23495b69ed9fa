package io.posbias.probe.redocred;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.probe.ProbeType;
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
 * @param evidence the evidence sentence, for those that ask a reader about the texts; null where nobody does
 * @param tags strings and whole numbers by name
 * @param sources1 where the sentences of the first text come from; null where nobody says
 * @param sources2 where those of the second do; null where there is none
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
    /** One or two texts for a query, with the tags that all records have. */
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

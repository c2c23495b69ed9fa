package io.posbias.study.probe.redocred;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Spaces;
import java.util.ArrayList;
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
    static ProbeRecord of(ProbeType probe, ProbeQuery query, Composition text1, @Nullable Composition text2) {
        Map<String, Object> tags = new LinkedHashMap<>();
        tags.put("title", query.title());
        tags.put("relation", query.relation());
        tags.put("head", query.head().longestName());
        tags.put("tail", query.tail().longestName());
        // The grid has queries with several evidence sentences.
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

    /** A text composed of sentences, joined by spaces, with their sources. */
    static final class Composition {
        /**
         * Source of a sentence.
         *
         * @param sentence from 0
         * @param changed true if names were replaced
         */
        record CompositionSource(
                String title,
                int sentence,

                @JsonInclude(JsonInclude.Include.NON_DEFAULT)
                boolean changed) {}

        private final List<String> parts = new ArrayList<>();
        private final List<CompositionSource> sources = new ArrayList<>();

        Composition add(RedocredDocument document, List<Integer> sentences) {
            sentences.forEach(sentence -> add(document, sentence, document.sentence(sentence)));
            return this;
        }

        Composition add(RedocredDocument document, int sentence) {
            return add(document, sentence, document.sentence(sentence));
        }

        /** Adds a sentence as {@code text}, possibly with replaced names. */
        Composition add(RedocredDocument document, int sentence, String text) {
            sources.add(new CompositionSource(document.title(), sentence, !text.equals(document.sentence(sentence))));
            return addWords(text);
        }

        Composition addWords(String text) {
            // An empty sentence would leave two spaces, which some tokenizers distinguish from one.
            if (!text.isEmpty()) {
                parts.add(text);
            }
            return this;
        }

        String text() {
            return Spaces.strip(String.join(" ", parts));
        }

        List<CompositionSource> sources() {
            return List.copyOf(sources);
        }
    }
}

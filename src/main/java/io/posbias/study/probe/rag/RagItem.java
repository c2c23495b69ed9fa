package io.posbias.study.probe.rag;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.JsonLines;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A query with its documents and true answer.
 *
 * @param gold the tail's longest name; of a question with several answers, all of them, joined by "or"
 * @param poison the foil followed by the evidence with a wrong answer; null if the probes have no poison
 * @param foil the head's name twice and a sentence that names only the head
 * @param amid the evidence inside another article
 */
public record RagItem(
        String id,
        String query,
        String gold,
        String evidence,
        @Nullable String poison,
        String foil,
        String amid) {
    RagItem withGold(String all) {
        return new RagItem(id, query, all, evidence, poison, foil, amid);
    }

    List<RagDocument> documents() {
        return Arrays.stream(RagDocument.values())
                .filter(document -> document != RagDocument.POISON || poison != null)
                .toList();
    }

    /** A line of {@code foil.jsonl} or {@code poison.jsonl}. */
    record RagLine(
            @Setting(identifier = true) String id,
            String query,
            @JsonProperty("text1") String amid,
            @JsonProperty("text2") String rival,
            @Nullable String evidence,
            Tags tags,
            Fields fields) {
        /** @param poisonBy author of the wrong answer */
        record Tags(
                String tail,
                @Setting(usual = "an unknown source") String poisonBy) {}

        static Map<String, RagLine> read(Path file) {
            Map<String, RagLine> lines = new LinkedHashMap<>();
            new JsonLines(file).forEach(fields -> {
                RagLine line = Json.bind(fields, RagLine.class);
                if (lines.put(line.id, line) != null) {
                    throw fields.bad("id", "is " + Printable.quoted(line.id) + " again", "a query has one line");
                }
            });
            return lines;
        }
    }

    static RagItem of(RagLine foil, @Nullable RagLine poison) {
        if (poison != null && (!foil.query.equals(poison.query) || !foil.amid.equals(poison.amid))) {
            throw poison.fields.bad(
                    "id",
                    "is " + Printable.quoted(poison.id) + ", and foil.jsonl has another question or evidence for it",
                    "both files must come from one 'posbias probe build redocred'");
        }
        if (foil.evidence == null) {
            throw foil.fields.bad(
                    "evidence", "is not there", "build the probes again: older versions did not write the sentence");
        }
        return new RagItem(
                foil.id,
                foil.query,
                foil.tags.tail,
                foil.evidence,
                poison == null ? null : poison.rival,
                foil.rival,
                foil.amid);
    }

    /** Document given to a reader, in the order of the paper's Table 5. */
    public enum RagDocument {
        /** A foil with a wrong answer. */
        POISON,
        /** A document about the head without an answer. */
        FOIL,
        NONE,
        /** The evidence inside another article. */
        EVIDENCE;

        String prompt(RagPrompts prompts, RagItem item) {
            return switch (this) {
                case POISON -> prompts.withDocument(Objects.requireNonNull(item.poison()), item.query());
                case FOIL -> prompts.withDocument(item.foil(), item.query());
                case NONE -> prompts.withoutDocument(item.query());
                case EVIDENCE -> prompts.withDocument(item.amid(), item.query());
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}

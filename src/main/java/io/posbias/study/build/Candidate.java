package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.data.dataset.Span;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A document, a part of one, or a question on one: a line of a stage's JSON lines, to which each stage adds fields.
 * Offsets are code points of the document's text, ends exclusive.
 *
 * @param fields typed; their errors name the source line
 */
public record Candidate(Fields fields) {
    /** Identifier, unique in a stage: the document's identifier, then one suffix per derived part after a slash. */
    public static final String ID = "id";

    public static final String DOCUMENT = "document";
    /** Text of a document, in the lines of the first stage and of translations. */
    public static final String TEXT = "text";
    /** Identifier of the first of several documents of which each begins with the end of the one before. */
    static final String ARTICLE = "article";
    /** Length bucket of its document, for example {@code 500-1024}. */
    public static final String BUCKET = "bucket";

    public static final String SUMMARY = "summary";
    /** Who asks about the document. */
    public static final String PERSONA = "persona";

    public static final String DIFFICULTY = "difficulty";
    /** Words of a query about the document, for example {@code 10-20}. */
    public static final String LENGTH = "length";

    /** Fields of a document that {@link ConfigureStage} chooses. */
    static final Set<String> CONFIGURED = Set.of(PERSONA, DIFFICULTY, LENGTH);

    /** Part of the document: {@code [start, end]}. */
    public static final String PART = "part";
    /** Third of the document to ask about, a label as in {@link #POSITION}. */
    public static final String TARGET = "target";

    public static final String QUESTION = "question";
    /** Identifier shared by the same question on several documents. */
    public static final String SAME_AS = "same_as";

    public static final String ANSWER = "answer";
    public static final String TYPE = "type";
    /** Quoted passage of the document that answers the question. */
    public static final String REFERENCE = "reference";
    /** Span of the evidence: {@code [start, end]}. */
    public static final String SPAN = "span";
    /** {@code beginning}, {@code middle} or {@code end}. */
    public static final String POSITION = "position";
    /** Scores by model: one per segment, or with and without the span. */
    public static final String SCORES = "scores";
    /** Grades by language model, one per text. */
    public static final String GRADES = "grades";
    /** Smallest margin of all models. */
    public static final String MARGIN = "margin";

    /** Identifiers of the passages that are its hard negatives. */
    public static final String NEGATIVES = "negatives";
    /** Position labels of the negatives' best sentences. */
    public static final String NEGATIVE_POSITIONS = "negative_positions";

    public static final String LANGUAGE = "language";
    /** Reason for dropping; absent for kept candidates. */
    public static final String DROPPED = "dropped";

    public static final String DETAIL = "detail";

    public static final List<String> POSITIONS = List.of("beginning", "middle", "end");

    public static Candidate document(Fields source, String id) {
        SequencedMap<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put(ID, id);
        values.put(DOCUMENT, id);
        return new Candidate(new Fields(source.where(), values));
    }

    public String id() {
        return fields.id(ID);
    }

    public String document() {
        return fields.id(DOCUMENT);
    }

    /** Returns the ISO 639-1 code of a translation; empty for original texts. */
    String language() {
        return fields.text(LANGUAGE, "");
    }

    public boolean has(String field) {
        return fields.has(field);
    }

    public String text(String field) {
        return fields.text(field);
    }

    public Optional<Span> span(String field) {
        List<Integer> ends = fields.integers(field);
        return ends.size() == 2 ? Optional.of(new Span(ends.get(0), ends.get(1))) : Optional.empty();
    }

    /** @throws io.posbias.base.json.BadInputException if the field is no span */
    Span requiredSpan(String field) {
        return span(field).orElseThrow(() -> fields.bad(field, "is no span", "it is [start, end]"));
    }

    public Candidate with(String field, Object value) {
        SequencedMap<String, @Nullable Object> values = fields.toMap();
        values.put(field, value instanceof Span span ? List.of(span.start(), span.end()) : value);
        return new Candidate(new Fields(fields.where(), values));
    }

    public Candidate without(String field) {
        SequencedMap<String, @Nullable Object> values = fields.toMap();
        values.remove(field);
        return new Candidate(new Fields(fields.where(), values));
    }

    /** Returns a copy with a suffix added to its identifier. */
    public Candidate child(String suffix) {
        return with(ID, id() + "/" + suffix);
    }

    public Optional<String> dropped() {
        return has(DROPPED) ? Optional.of(text(DROPPED)) : Optional.empty();
    }

    public SequencedMap<String, @Nullable Object> toMap() {
        return fields.toMap();
    }
}

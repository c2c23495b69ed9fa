package io.posbias.build;

import io.posbias.Fields;
import io.posbias.dataset.Span;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * What goes through a pipeline: a document, a part of it, or a question on it. One line of a stage's JSON lines; each stage
 * adds fields. Offsets are code points of the document's text, ends exclusive. Unchanging.
 */
public final class Candidate {
    /** Identifier, unique in a stage: that of the document, and what became of it after slashes. */
    public static final String ID = "id";
    /** Identifier of its document. */
    public static final String DOCUMENT = "document";
    /** The document's text, in the lines of the first stage and of translations. */
    public static final String TEXT = "text";
    /** The length bucket that its document was drawn for, such as {@code 500-1024}. */
    public static final String BUCKET = "bucket";
    /** A summary of its document. */
    public static final String SUMMARY = "summary";
    /** The part of the document that it is about: {@code [start, end]}. */
    public static final String PART = "part";
    /** Which third of the document is to be asked about: a label as in {@link #POSITION}. */
    public static final String TARGET = "target";

    public static final String QUESTION = "question";
    /** Identifier that it shares with the same question on other documents; absent where it is the only one. */
    public static final String SAME_AS = "same_as";

    public static final String ANSWER = "answer";
    /** The kind of question, in the words of who asked it. */
    public static final String TYPE = "type";
    /** The passage of the document that answers it, as it was quoted. */
    public static final String REFERENCE = "reference";
    /** Where the evidence is: {@code [start, end]}. */
    public static final String SPAN = "span";
    /** {@code beginning}, {@code middle} or {@code end}. */
    public static final String POSITION = "position";
    /** Scores of models by their names: one number per segment, or of the whole document and the document without the span. */
    public static final String SCORES = "scores";
    /** Grades of language models by their names, likewise. */
    public static final String GRADES = "grades";
    /** The smallest of all models' margins. */
    public static final String MARGIN = "margin";
    /** Language of a translation, as an ISO 639-1 code. */
    public static final String LANGUAGE = "language";
    /** Why it was dropped; absent where it was kept. */
    public static final String DROPPED = "dropped";
    /** More on why, for readers. */
    public static final String DETAIL = "detail";

    /** The labels of {@link #POSITION}, in order. */
    public static final List<String> POSITIONS = List.of("beginning", "middle", "end");

    private final Fields fields;

    private Candidate(Fields fields) {
        this.fields = fields;
    }

    /** A line of a stage's file. */
    static Candidate read(Fields row) {
        return new Candidate(row);
    }

    /** A document. */
    public static Candidate document(Fields source, String id) {
        SequencedMap<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put(ID, id);
        values.put(DOCUMENT, id);
        return new Candidate(new Fields(source.where(), values));
    }

    /** Its identifier. */
    public String id() {
        return fields.id(ID);
    }

    /** Its document's identifier. */
    public String document() {
        return fields.id(DOCUMENT);
    }

    /** The fields, typed; errors name the line they come from. */
    public Fields fields() {
        return fields;
    }

    /** The language of a translation, as an ISO 639-1 code; empty for what is in the documents' own. */
    String language() {
        return fields.text(LANGUAGE, "");
    }

    /** Whether it has a field. */
    public boolean has(String field) {
        return fields.has(field);
    }

    /** A text that an earlier stage made. */
    public String text(String field) {
        return fields.text(field);
    }

    /** Where a field says that something is. */
    public Optional<Span> span(String field) {
        List<Integer> ends = fields.integers(field);
        return ends.size() == 2 ? Optional.of(new Span(ends.get(0), ends.get(1))) : Optional.empty();
    }

    /** The same with a field set. */
    public Candidate with(String field, Object value) {
        SequencedMap<String, @Nullable Object> values = fields.toMap();
        values.put(field, value instanceof Span span ? List.of(span.start(), span.end()) : value);
        return new Candidate(new Fields(fields.where(), values));
    }

    /** The same without a field that no later stage needs. */
    public Candidate without(String field) {
        SequencedMap<String, @Nullable Object> values = fields.toMap();
        values.remove(field);
        return new Candidate(new Fields(fields.where(), values));
    }

    /** One of several that are made of it. */
    public Candidate child(String suffix) {
        return with(ID, id() + "/" + suffix);
    }

    /** Why it was dropped; empty where it was kept. */
    public Optional<String> dropped() {
        return has(DROPPED) ? Optional.of(text(DROPPED)) : Optional.empty();
    }

    /** All fields by their names, as a line of a stage's file holds them. */
    public SequencedMap<String, @Nullable Object> toMap() {
        return fields.toMap();
    }
}

package io.posbias.data.dataset;

import io.posbias.base.json.Fields;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Evidence fields of query rows: PosIR's names, FineWeb-PosQ's {@code span_class}, and variants. */
public final class EvidenceFields {
    static final String PASSAGE = "pos_corpus_id";
    /** Name of the field in BRIGHT's rows. */
    static final String EXCLUDED = "excluded_ids";
    /** True for a judged query whose relevant passages were all left out. */
    static final String UNANSWERABLE = "unanswerable";

    static final String SPAN = "pos_char_span";
    static final String TEXT_LENGTH = "pos_char_length";
    static final String TOKEN_LENGTH = "pos_token_length";
    static final String LABELS = "span_class";
    static final String VARIANT_OF = "variant_of";
    static final String VARIANT_PLACE = "variant_place";
    private static final String VARIANT_DOCUMENT = "variant_document";

    private static final List<String> READ = List.of(
            "_id",
            "id",
            "text",
            "title",
            "metadata",
            "answer",
            "answers",
            SPAN,
            TEXT_LENGTH,
            TOKEN_LENGTH,
            LABELS,
            PASSAGE,
            EXCLUDED,
            UNANSWERABLE,
            VARIANT_OF,
            VARIANT_PLACE,
            VARIANT_DOCUMENT);

    private EvidenceFields() {}

    /** Reads the evidence of a row, unchecked against its passage; null for a row without evidence fields, also misspelt ones. */
    public static @Nullable Evidence read(Fields row) {
        row.refuseMisspelt(READ);
        List<String> labels = labels(row, row.texts(LABELS));
        if (!row.has(SPAN) && labels.isEmpty() && !row.has(TOKEN_LENGTH)) {
            return null;
        }
        List<Integer> span = row.integers(SPAN);
        if (row.has(SPAN) && (span.size() != 2 || span.get(0) < 0 || span.get(1) < span.get(0))) {
            throw row.bad(SPAN, "is " + span, "a span is [start, end) with 0 <= start <= end");
        }
        int start = span.isEmpty() ? Evidence.UNKNOWN : span.get(0);
        int end = span.isEmpty() ? Evidence.UNKNOWN : span.get(1);
        int length = row.integer(TEXT_LENGTH, Evidence.UNKNOWN);
        if (row.has(TEXT_LENGTH) && (length < 1 || end > length)) {
            throw row.bad(TEXT_LENGTH, "is " + length, "the text must hold the span, which ends at " + end);
        }
        int tokens = row.integer(TOKEN_LENGTH, Evidence.UNKNOWN);
        if (row.has(TOKEN_LENGTH) && tokens < 0) {
            throw row.bad(TOKEN_LENGTH, "is " + tokens, "it counts tokens");
        }
        return new Evidence(start, end, length, tokens, labels, null);
    }

    /** Returns the labels of a row, none of them empty. */
    public static List<String> labels(Fields row, List<String> labels) {
        if (labels.stream().anyMatch(String::isBlank)) {
            throw row.bad(LABELS, "has an empty label", "a label names a bucket, for example beginning");
        }
        return labels;
    }

    /** Names the missing evidence fields and the row's unread ones. */
    static String expected(Fields row) {
        List<String> known = List.of(SPAN, LABELS);
        List<String> unread = row.names().stream()
                .filter(name -> !READ.contains(name))
                .map(name -> Suggestions.choice(Suggestions.near(name, known))
                        .map(near -> Printable.cut(name) + " (did you mean " + near + "?)")
                        .orElse(Printable.cut(name)))
                .toList();
        return "it is read from " + SPAN + " [start, end), " + LABELS + " or the text of answer"
                + (unread.isEmpty() ? "" : ", not from " + String.join(", ", unread));
    }

    /** Writes the fields that {@link #read} reads. */
    public static Map<String, Object> write(Evidence evidence) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (evidence.start() != Evidence.UNKNOWN) {
            fields.put(SPAN, List.of(evidence.start(), evidence.end()));
        }
        if (evidence.textLength() != Evidence.UNKNOWN) {
            fields.put(TEXT_LENGTH, evidence.textLength());
        }
        if (evidence.tokenLength() != Evidence.UNKNOWN) {
            fields.put(TOKEN_LENGTH, evidence.tokenLength());
        }
        if (!evidence.labels().isEmpty()) {
            fields.put(LABELS, evidence.labels().size() == 1 ? evidence.labels().getFirst() : evidence.labels());
        }
        return fields;
    }

    /** Reads the variant of a row; null for a row without variant fields. */
    static Query.@Nullable Variant readVariant(Fields row) {
        if (!row.has(VARIANT_OF) && !row.has(VARIANT_PLACE) && !row.has(VARIANT_DOCUMENT)) {
            return null;
        }
        int place = row.integer(VARIANT_PLACE);
        if (place < 1) {
            throw row.bad(VARIANT_PLACE, "is " + place, "places count from 1");
        }
        return new Query.Variant(row.id(VARIANT_OF), place, row.id(VARIANT_DOCUMENT));
    }

    /** Writes the fields that {@link #readVariant} reads. */
    static Map<String, Object> write(Query.Variant variant) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(VARIANT_OF, variant.of());
        fields.put(VARIANT_PLACE, variant.place());
        fields.put(VARIANT_DOCUMENT, variant.document());
        return fields;
    }
}

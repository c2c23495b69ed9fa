package io.posbias.dataset;

import io.posbias.Fields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields of a query row that say what the query is a variant of. */
final class VariantFields {
    static final String OF = "variant_of";
    static final String PLACE = "variant_place";
    static final String DOCUMENT = "variant_document";

    /** All of them. */
    static final Set<String> NAMES = Set.of(OF, PLACE, DOCUMENT);

    private VariantFields() {}

    /** The variant in a row; null when the row has none of the fields. */
    static Query.@Nullable Variant read(Fields row) {
        if (NAMES.stream().noneMatch(row::has)) {
            return null;
        }
        int place = row.integer(PLACE);
        if (place < 1) {
            throw row.bad(PLACE, "is " + place, "places count from 1");
        }
        return new Query.Variant(row.id(OF), place, row.id(DOCUMENT));
    }

    /** The fields that {@link #read} would read back as this. */
    static Map<String, Object> write(Query.Variant variant) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(OF, variant.of());
        fields.put(PLACE, variant.place());
        fields.put(DOCUMENT, variant.document());
        return fields;
    }
}

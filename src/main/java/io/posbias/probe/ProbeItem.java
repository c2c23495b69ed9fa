package io.posbias.probe;

import io.posbias.BadInputException;
import io.posbias.Fields;
import io.posbias.Location;
import io.posbias.dataset.JsonLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A query and one or two texts to be scored, as read from a probe's file.
 *
 * @param probe what it belongs to
 * @param id items with the same id belong together
 * @param query the question
 * @param text1 a text
 * @param text2 what its score is compared with; null where an item holds one text
 * @param tags by name, numbers as they print
 * @param unit items of one unit, such as a document, count as one for intervals and tests; null for one by itself
 * @param evidence the answer as a part of one of the texts; null when the file does not say
 */
public record ProbeItem(
        ProbeType probe,
        String id,
        String query,
        String text1,
        @Nullable String text2,
        Map<String, String> tags,
        @Nullable String unit,
        @Nullable String evidence) {
    /** The tag of the document that an item is of. */
    private static final String TITLE = "title";

    /** Copies the tags. */
    public ProbeItem {
        tags = Map.copyOf(tags);
    }

    /** An item of the document that its tag {@code title} names, or by itself. */
    public ProbeItem(
            ProbeType probe, String id, String query, String text1, @Nullable String text2, Map<String, String> tags) {
        this(probe, id, query, text1, text2, tags, tags.get(TITLE));
    }

    /** An item whose evidence is not known. */
    public ProbeItem(
            ProbeType probe,
            String id,
            String query,
            String text1,
            @Nullable String text2,
            Map<String, String> tags,
            @Nullable String unit) {
        this(probe, id, query, text1, text2, tags, unit, null);
    }

    /** The same by itself. */
    public ProbeItem single() {
        return new ProbeItem(probe, id, query, text1, text2, tags, null, evidence);
    }

    /**
     * Reads a file of items, one JSON object a line.
     *
     * @param usual the name of the probe where a line does not say
     * @param types probes by name
     * @throws BadInputException if a line lacks a field, if what a probe compares is not all there, or the file holds no
     *     line
     */
    public static List<ProbeItem> read(Path file, String usual, Function<String, ProbeType> types) {
        List<ProbeItem> items = new ArrayList<>();
        Map<ProbeType, Shape.Check> checks = new LinkedHashMap<>();
        new JsonLines(file).forEach(fields -> {
            ProbeItem item = item(fields, usual, types);
            checks.computeIfAbsent(item.probe, probe -> probe.shape().check(probe.name()))
                    .look(fields, fields.record("tags"), item.id);
            items.add(item);
        });
        checks.values().forEach(check -> check.finish(file));
        if (items.isEmpty()) {
            throw new BadInputException(
                    Location.of(file), "holds no pair", "a line is {\"id\", \"query\", \"text1\", \"text2\"}");
        }
        return items;
    }

    private static ProbeItem item(Fields fields, String usual, Function<String, ProbeType> types) {
        String name = fields.text("probe", usual);
        if (name.isBlank()) {
            throw fields.bad("probe", "is empty", "without it, the file's name is the probe's");
        }
        ProbeType probe = types.apply(name);
        Map<String, String> tags = tags(fields.record("tags"));
        String evidence = fields.text("evidence", "");
        return new ProbeItem(
                probe,
                fields.id("id"),
                filled(fields, "query"),
                filled(fields, "text1"),
                probe.shape().isSingle() ? null : filled(fields, "text2"),
                tags,
                tags.get(TITLE),
                evidence.isEmpty() ? null : evidence);
    }

    private static Map<String, String> tags(Fields fields) {
        Map<String, String> tags = new LinkedHashMap<>();
        fields.toMap().forEach((name, value) -> {
            if (value instanceof List || value instanceof Map) {
                throw fields.bad(
                        name, "is a " + (value instanceof List ? "list" : "record"), "a tag is a string or a number");
            }
            if (value instanceof Double number && !Double.isFinite(number)) {
                throw fields.bad(name, "is " + number, "a tag is a string or a finite number");
            }
            // As all of posbias takes null: it is not there.
            if (value != null) {
                tags.put(name, word(value));
            }
        });
        return tags;
    }

    /** A tag as it prints: a whole number without a fraction, however it was written. */
    static String word(Object value) {
        return value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1L << 53
                ? String.valueOf(number.longValue())
                : String.valueOf(value);
    }

    private static String filled(Fields fields, String name) {
        String text = fields.text(name);
        if (text.isBlank()) {
            throw fields.bad(name, "is empty", "a score needs a query and a text");
        }
        return text;
    }

    /** A tag that the item must have; {@link #read} makes sure of it. */
    public String tag(String name) {
        String value = tags.get(name);
        if (value == null) {
            throw new IllegalArgumentException("item " + id + " of " + probe + " lacks the tag " + name);
        }
        return value;
    }
}

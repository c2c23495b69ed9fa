package io.posbias.study.probe;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.data.dataset.JsonLines;
import io.posbias.data.dataset.Query;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A query with one or two texts to score, from a probe's file.
 *
 * @param id shared by the items of a query
 * @param text2 compared with {@code text1}; null for items of one text
 * @param cluster for example a document; null for an item by itself
 * @param evidence part of a text with the answer; null if unknown
 */
public record ProbeItem(
        ProbeType probe,
        String id,
        String query,
        String text1,
        @Nullable String text2,
        Map<String, String> tags,
        @Nullable String cluster,
        @Nullable String evidence) {
    /** Tag of an item's document. */
    private static final String TITLE = "title";

    public ProbeItem {
        tags = Map.copyOf(tags);
    }

    /** Clustered by the tag {@code title}. */
    public ProbeItem(
            ProbeType probe, String id, String query, String text1, @Nullable String text2, Map<String, String> tags) {
        this(probe, id, query, text1, text2, tags, tags.get(TITLE));
    }

    public ProbeItem(
            ProbeType probe,
            String id,
            String query,
            String text1,
            @Nullable String text2,
            Map<String, String> tags,
            @Nullable String cluster) {
        this(probe, id, query, text1, text2, tags, cluster, null);
    }

    /** A changed text of a query, paired with the unchanged one. */
    public static ProbeItem changed(Query query, String cluster, String change, String text, String unchanged) {
        return new ProbeItem(ProbeType.pairs(change), query.id(), query.text(), text, unchanged, Map.of(), cluster);
    }

    /** The item as its own cluster. */
    public ProbeItem single() {
        return new ProbeItem(probe, id, query, text1, text2, tags, null, evidence);
    }

    /**
     * Reads a file of items, one JSON object a line.
     *
     * @param usual the probe's name if a line has none
     * @throws BadInputException if a field or a compared item is missing, or the file is empty
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
            // A null is treated as a missing value.
            if (value != null) {
                tags.put(name, word(value));
            }
        });
        return tags;
    }

    /** A tag's value; whole numbers without a fraction. */
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

    /** A required tag, which {@link #read} has checked. */
    public String tag(String name) {
        String value = tags.get(name);
        if (value == null) {
            throw new IllegalArgumentException("item " + id + " of " + probe + " lacks the tag " + name);
        }
        return value;
    }
}

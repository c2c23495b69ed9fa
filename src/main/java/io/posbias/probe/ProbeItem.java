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
import org.jspecify.annotations.Nullable;

/**
 * A query and one or two texts to be scored, as read from a probe's file.
 *
 * @param probe the probe's name
 * @param id items with the same id belong together
 * @param query the question
 * @param text1 a text
 * @param text2 what its score is compared with; null where an item holds one text
 * @param tags by name, numbers as they print
 */
public record ProbeItem(
        String probe,
        String id,
        String query,
        String text1,
        @Nullable String text2,
        Map<String, String> tags) {
    /** Copies the tags. */
    public ProbeItem {
        tags = Map.copyOf(tags);
    }

    /**
     * Reads a file of items, one JSON object a line.
     *
     * @param usual the name of the probe where a line does not say
     * @throws BadInputException if a line lacks a field, or the file holds none
     */
    public static List<ProbeItem> read(Path file, String usual) {
        List<ProbeItem> items = new ArrayList<>();
        new JsonLines(file).forEach(fields -> items.add(item(fields, usual)));
        if (items.isEmpty()) {
            throw new BadInputException(
                    Location.of(file), "holds no pair", "a line is {\"id\", \"query\", \"text1\", \"text2\"}");
        }
        return items;
    }

    private static ProbeItem item(Fields fields, String usual) {
        String probe = fields.text("probe", usual);
        boolean single = SINGLE.contains(probe);
        Map<String, String> tags = new LinkedHashMap<>();
        fields.record("tags").toMap().forEach((name, value) -> tags.put(name, String.valueOf(value)));
        return new ProbeItem(
                probe,
                fields.id("id"),
                filled(fields, "query"),
                filled(fields, "text1"),
                single ? null : filled(fields, "text2"),
                tags);
    }

    /** Probes whose items hold one text. */
    private static final List<String> SINGLE = List.of("moving", "grid");

    private static String filled(Fields fields, String name) {
        String text = fields.text(name);
        if (text.isBlank()) {
            throw fields.bad(name, "is empty", "a score needs a query and a text");
        }
        return text;
    }

    /** A tag that the item must have. */
    String tag(String name) {
        String value = tags.get(name);
        if (value == null) {
            throw new IllegalArgumentException("item " + id + " of " + probe + " lacks the tag " + name);
        }
        return value;
    }
}

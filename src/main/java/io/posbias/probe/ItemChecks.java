package io.posbias.probe;

import io.posbias.BadInputException;
import io.posbias.Fields;
import io.posbias.Location;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a file must hold of probes whose items belong together: {@code moving} places from 1 on, each once for a query and
 * the first among them; {@code literal} all four scores of a query; {@code grid} two bands.
 */
final class ItemChecks {
    private static final List<String> NAMES = List.of("long", "short");
    private static final Pattern BAND = Pattern.compile("\\d{1,9}(-\\d{1,9})?");

    /** The items of one query: the line of the first, and what there is of them. */
    private record Own(Fields line, Set<String> parts) {}

    private final Map<String, Own> moving = new LinkedHashMap<>();
    private final Map<String, Own> literal = new LinkedHashMap<>();

    /** Looks at an item as it was read. */
    void look(Fields line, String probe, String id) {
        Fields tags = line.record("tags");
        switch (probe) {
            case "moving" -> place(line, tags, id);
            case "literal" -> names(line, tags, id);
            case "grid" -> {
                band(tags, "heads_band");
                band(tags, "words_band");
            }
            default -> {}
        }
    }

    private void place(Fields line, Fields tags, String id) {
        int place = tags.integer("position");
        if (place < 1) {
            throw tags.bad("position", "is " + place, "places are counted from 1");
        }
        add(moving, line, id, "place " + place);
    }

    private void names(Fields line, Fields tags, String id) {
        String query = name(tags, "query_name");
        add(literal, line, id, pair(query, name(tags, "name1")));
        add(literal, line, id, pair(query, name(tags, "name2")));
    }

    private static String name(Fields tags, String tag) {
        String name = tags.text(tag);
        if (!NAMES.contains(name)) {
            throw tags.bad(tag, "is \"" + name + "\"", "it is one of " + String.join(", ", NAMES));
        }
        return name;
    }

    private static String pair(String query, String text) {
        return "the " + query + " name in the query and the " + text + " one in the text";
    }

    private static void add(Map<String, Own> items, Fields line, String id, String part) {
        Own own = items.computeIfAbsent(id, key -> new Own(line, new LinkedHashSet<>()));
        if (!own.parts.add(part)) {
            throw line.bad("id", "is \"" + id + "\" a second time with " + part, "a query has one such text");
        }
    }

    private static void band(Fields tags, String tag) {
        Object band = tags.raw(tag);
        if (!BAND.matcher(band == null ? tags.text(tag) : ProbeItem.word(band)).matches()) {
            throw tags.bad(tag, "is \"" + band + "\"", "a band is a whole number or two, such as 4 or 4-10");
        }
    }

    /** Looks at what there is after the last line. */
    void finish(Path file) {
        if (!moving.isEmpty() && moving.values().stream().noneMatch(own -> isCompared(own.parts))) {
            throw new BadInputException(
                    Location.of(file),
                    "holds no query of moving with place 1 and another",
                    "each place is compared with the first");
        }
        literal.forEach((id, own) -> {
            for (String query : NAMES) {
                for (String text : NAMES) {
                    if (!own.parts.contains(pair(query, text))) {
                        throw own.line.bad(
                                "id",
                                "is \"" + id + "\", without " + pair(query, text),
                                "literal compares all four of a query");
                    }
                }
            }
        });
    }

    private static boolean isCompared(Set<String> places) {
        return places.size() > 1 && places.contains("place 1");
    }
}

package io.posbias.experiment;

import io.posbias.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The values that an experiment goes through: a text that names some of them, as {@code {seed}}, stands for one text for
 * each combination.
 *
 * @param all by name
 */
record Values(Map<String, List<String>> all) {
    static Values read(Fields fields) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (String name : fields.names()) {
            List<String> values = fields.words(name);
            if (values.isEmpty()) {
                throw fields.bad(name, "is empty", "give a list of values");
            }
            all.put(name, values);
        }
        return new Values(all);
    }

    /** The combinations of those values that a text names; one of none where it names none. */
    List<Map<String, String>> combinations(String text) {
        List<Map<String, String>> combinations = List.of(Map.of());
        for (Map.Entry<String, List<String>> value : all.entrySet()) {
            if (text.contains(place(value.getKey()))) {
                List<Map<String, String>> longer = new ArrayList<>();
                for (Map<String, String> combination : combinations) {
                    for (String one : value.getValue()) {
                        Map<String, String> more = new LinkedHashMap<>(combination);
                        more.put(value.getKey(), one);
                        longer.add(more);
                    }
                }
                combinations = longer;
            }
        }
        return combinations;
    }

    /** The texts that a text stands for. */
    Stream<String> texts(String text) {
        return combinations(text).stream().map(combination -> filled(text, combination));
    }

    /** A text with values in their places. */
    static String filled(String text, Map<String, String> values) {
        String filled = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace(place(value.getKey()), value.getValue());
        }
        return filled;
    }

    private static String place(String name) {
        return "{" + name + "}";
    }
}

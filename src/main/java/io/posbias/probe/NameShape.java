package io.posbias.probe;

import io.posbias.Fields;
import io.posbias.Printable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** See {@link Shapes#NAMES}. */
final class NameShape implements Shape {
    /** What is compared: L and S are the long and the short name, in the question and in the text. */
    private static final List<String> COMPARISONS = List.of("LL - LS", "LL - SL", "LL - SS", "SS - LS", "SS - SL");

    private static final List<String> NAMES = List.of("long", "short");

    @Override
    public String headline() {
        return "SS - SL";
    }

    /** A query has all four scores, each once. */
    @Override
    public Check check(String probe) {
        Map<String, Map<String, Fields>> queries = new LinkedHashMap<>();
        Repeats repeats = new Repeats("a query has one such text");
        return new Check() {
            @Override
            public void look(Fields line, Fields tags, String id) {
                String query = name(tags, "query_name");
                for (String tag : List.of("name1", "name2")) {
                    String pair = pair(query, name(tags, tag));
                    repeats.refuse(line, id, pair);
                    queries.computeIfAbsent(id, key -> new LinkedHashMap<>()).put(pair, line);
                }
            }

            @Override
            public void finish(Path file) {
                queries.forEach((id, lines) -> refuseIncomplete(probe, id, lines));
            }
        };
    }

    private static String name(Fields tags, String tag) {
        String name = tags.text(tag);
        if (!NAMES.contains(name)) {
            throw tags.bad(tag, "is " + Printable.quoted(name), "it is one of " + String.join(", ", NAMES));
        }
        return name;
    }

    private static String pair(String query, String text) {
        return "the " + query + " name in the query and the " + text + " one in the text";
    }

    private static void refuseIncomplete(String probe, String id, Map<String, Fields> lines) {
        for (String query : NAMES) {
            for (String text : NAMES) {
                if (!lines.containsKey(pair(query, text))) {
                    Fields first = lines.values().iterator().next();
                    throw first.bad(
                            "id",
                            "is " + Printable.quoted(id) + ", without " + pair(query, text),
                            probe + " compares all four of a query");
                }
            }
        }
    }

    @Override
    public List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence) {
        Map<String, Map<String, Double>> queries = new LinkedHashMap<>();
        List<ScoredItem> firsts = new ArrayList<>();
        for (ScoredItem scored : items) {
            ProbeItem item = scored.item();
            if (!queries.containsKey(item.id())) {
                firsts.add(scored);
            }
            Map<String, Double> own = queries.computeIfAbsent(item.id(), id -> new LinkedHashMap<>());
            own.put(initials(item, "name1"), scored.score1());
            own.put(initials(item, "name2"), scored.second());
        }
        List<PairTest> tests = new ArrayList<>();
        for (String comparison : COMPARISONS) {
            double[] first = column(probe, queries, comparison.substring(0, 2));
            double[] second = column(probe, queries, comparison.substring(5));
            tests.add(PairTest.of(probe, comparison, first, second, ScoredItem.clusters(firsts), confidence));
        }
        return tests;
    }

    private static String initials(ProbeItem item, String text) {
        return (item.tag("query_name").substring(0, 1) + item.tag(text).charAt(0)).toUpperCase(Locale.ROOT);
    }

    private static double[] column(ProbeType probe, Map<String, Map<String, Double>> queries, String names) {
        return queries.values().stream()
                .mapToDouble(scores -> {
                    Double score = scores.get(names);
                    if (score == null) {
                        throw new IllegalArgumentException(probe + " lacks the score " + names + " of a query");
                    }
                    return score;
                })
                .toArray();
    }
}

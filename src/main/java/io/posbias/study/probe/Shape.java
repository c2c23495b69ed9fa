package io.posbias.study.probe;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.stats.Clusters;
import io.posbias.base.text.Printable;
import io.posbias.study.probe.ItemScorer.ScoredItem;
import io.posbias.study.probe.ProbeResult.GridCell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Structure of a probe's items, and the compared scores. */
public enum Shape {
    /** Items of two texts. A query has one pair: a second would count twice in the test. */
    PAIRS {
        @Override
        Check check(String probe) {
            Map<List<String>, Long> seen = new HashMap<>();
            return (line, tags, id) -> refuseRepeat(seen, line, id, "", "a query has one pair");
        }

        @Override
        List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence) {
            double[] first = items.stream().mapToDouble(ScoredItem::score1).toArray();
            double[] second = items.stream().mapToDouble(ScoredItem::second).toArray();
            return List.of(PairTest.of(probe, PairTest.PAIRS, first, second, ScoredItem.clusters(items), confidence));
        }
    },
    /** One text per place of the evidence, tag {@code position} from 1; each place is compared with the first. */
    PLACES {
        // Each place at most once per query; at least one query has the first place and another.
        @Override
        Check check(String probe) {
            Map<String, Set<Integer>> places = new HashMap<>();
            Map<List<String>, Long> seen = new HashMap<>();
            return new Check() {
                @Override
                public void look(Fields line, Fields tags, String id) {
                    int place = tags.integer(POSITION);
                    if (place < 1) {
                        throw tags.bad(POSITION, "is " + place, "places are counted from 1");
                    }
                    refuseRepeat(seen, line, id, "place " + place, ONE_TEXT);
                    places.computeIfAbsent(id, key -> new HashSet<>()).add(place);
                }

                @Override
                public void finish(Path file) {
                    if (places.values().stream().noneMatch(own -> own.size() > 1 && own.contains(1))) {
                        throw new BadInputException(
                                Location.of(file),
                                "holds no query of " + probe + " with place 1 and another",
                                "each place is compared with the first");
                    }
                }
            };
        }

        // Each place against the first, for the queries with both.
        @Override
        List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence) {
            TreeMap<Integer, Map<String, Double>> byPlace = new TreeMap<>();
            Map<String, ScoredItem> ofId = new HashMap<>();
            for (ScoredItem scored : items) {
                ofId.put(scored.item().id(), scored);
                int place = Integer.parseInt(scored.item().tag(POSITION));
                byPlace.computeIfAbsent(place, number -> new LinkedHashMap<>())
                        .put(scored.item().id(), scored.score1());
            }
            Map<String, Double> atFirst = byPlace.getOrDefault(1, Map.of());
            List<PairTest> tests = new ArrayList<>();
            byPlace.tailMap(1, false).forEach((place, scores) -> {
                List<String> ids =
                        scores.keySet().stream().filter(atFirst::containsKey).toList();
                double[] there = ids.stream().mapToDouble(scores::get).toArray();
                double[] first = ids.stream().mapToDouble(atFirst::get).toArray();
                if (!ids.isEmpty()) {
                    Clusters clusters =
                            ScoredItem.clusters(ids.stream().map(ofId::get).toList());
                    tests.add(PairTest.of(probe, place + " - 1", there, first, clusters, confidence));
                }
            });
            return tests;
        }
    },
    /** Two items of two texts per id: L and S are the long and the short name, in question and text. */
    NAMES {
        // Each query has each of the four scores once.
        @Override
        Check check(String probe) {
            Map<String, Map<String, Fields>> queries = new LinkedHashMap<>();
            Map<List<String>, Long> seen = new HashMap<>();
            return new Check() {
                @Override
                public void look(Fields line, Fields tags, String id) {
                    String query = word(tags, "query_name", LENGTHS);
                    for (String tag : List.of("name1", "name2")) {
                        String pair = pair(query, word(tags, tag, LENGTHS));
                        refuseRepeat(seen, line, id, pair, ONE_TEXT);
                        queries.computeIfAbsent(id, key -> new LinkedHashMap<>())
                                .put(pair, line);
                    }
                }

                @Override
                public void finish(Path file) {
                    queries.forEach((id, lines) -> refuseIncomplete(probe, id, lines));
                }
            };
        }

        @Override
        List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence) {
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
            for (String comparison : List.of("LL - LS", "LL - SL", "LL - SS", "SS - LS", HEADLINE)) {
                double[] first = column(probe, queries, comparison.substring(0, 2));
                double[] second = column(probe, queries, comparison.substring(5));
                tests.add(PairTest.of(probe, comparison, first, second, ScoredItem.clusters(firsts), confidence));
            }
            return tests;
        }
    },
    /** A text with two questions: items of one id, tag {@code asks} {@code own} or {@code other}. */
    QUESTIONS {
        @Override
        Check check(String probe) {
            Map<String, Map<String, Fields>> asked = new LinkedHashMap<>();
            Map<List<String>, Long> seen = new HashMap<>();
            return new Check() {
                @Override
                public void look(Fields line, Fields tags, String id) {
                    String question = word(tags, ASKS, ASKED);
                    refuseRepeat(seen, line, id, "its " + question + " question", "a text has two questions");
                    asked.computeIfAbsent(id, key -> new LinkedHashMap<>()).put(question, line);
                }

                @Override
                public void finish(Path file) {
                    asked.values().stream()
                            .filter(lines -> lines.size() < ASKED.size())
                            .flatMap(lines -> lines.values().stream())
                            .findFirst()
                            .ifPresent(line -> {
                                throw line.bad("id", "has one question", probe + " compares two of a text");
                            });
                }
            };
        }

        @Override
        List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence) {
            Map<String, Double> others = new HashMap<>();
            List<ScoredItem> own = new ArrayList<>();
            for (ScoredItem scored : items) {
                if (scored.item().tag(ASKS).equals("own")) {
                    own.add(scored);
                } else {
                    others.put(scored.item().id(), scored.score1());
                }
            }
            double[] first = own.stream().mapToDouble(ScoredItem::score1).toArray();
            double[] second = own.stream()
                    .mapToDouble(scored ->
                            Objects.requireNonNull(others.get(scored.item().id())))
                    .toArray();
            return List.of(PairTest.of(probe, QUESTIONS_ASKED, first, second, ScoredItem.clusters(own), confidence));
        }
    },
    /** One text per item in a cell of two bands; means without tests. */
    GRID {
        @Override
        Check check(String probe) {
            return (line, tags, id) -> {
                refuseOther(tags, "heads_band");
                refuseOther(tags, "words_band");
            };
        }

        @Override
        List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence) {
            return List.of();
        }
    };

    /** The comparison of {@link #NAMES} in summaries: the question's name comes first. */
    static final String HEADLINE = "SS - SL";

    private static final String QUESTIONS_ASKED = "own - other";
    private static final String ASKS = "asks";
    private static final List<String> ASKED = List.of("own", "other");
    private static final String POSITION = "position";
    private static final String ONE_TEXT = "a query has one text of each kind";
    private static final List<String> LENGTHS = List.of("long", "short");
    private static final Pattern BAND = Pattern.compile("\\d{1,9}(-\\d{1,9})?");

    /** Checks the items of a file in order. */
    interface Check {
        /**
         * Checks an item.
         *
         * @throws BadInputException for a missing tag or a repeated item
         */
        void look(Fields line, Fields tags, String id);

        /**
         * Checks the whole file.
         *
         * @throws BadInputException if a compared item is missing
         */
        default void finish(Path file) {}
    }

    abstract Check check(String probe);

    abstract List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence);

    boolean isSingle() {
        return this == PLACES || this == GRID || this == QUESTIONS;
    }

    /** The comparison in summaries; empty for none. */
    String headline() {
        return switch (this) {
            case PAIRS -> PairTest.PAIRS;
            case NAMES -> HEADLINE;
            case QUESTIONS -> QUESTIONS_ASKED;
            case PLACES, GRID -> "";
        };
    }

    /** The cells of the grid; empty for other shapes. */
    List<GridCell> cells(List<ScoredItem> items) {
        if (this != GRID) {
            return List.of();
        }
        Map<List<String>, List<Double>> cells = new LinkedHashMap<>();
        for (ScoredItem scored : items) {
            ProbeItem item = scored.item();
            cells.computeIfAbsent(List.of(item.tag("heads_band"), item.tag("words_band")), cell -> new ArrayList<>())
                    .add(scored.score1());
        }
        List<GridCell> grid = new ArrayList<>();
        cells.forEach((cell, scores) -> grid.add(new GridCell(
                cell.getFirst(),
                cell.getLast(),
                scores.size(),
                scores.stream().mapToDouble(score -> score).average().orElseThrow())));
        grid.sort(Comparator.comparingInt(GridCell::leastHeads).thenComparingInt(GridCell::leastWords));
        return grid;
    }

    /**
     * Refuses a repeated item.
     *
     * @param with what may occur once per id; empty for the id itself
     */
    private static void refuseRepeat(Map<List<String>, Long> seen, Fields line, String id, String with, String rule) {
        Long earlier = seen.putIfAbsent(List.of(id, with), line.where().line());
        if (earlier != null) {
            String what = with.isEmpty() ? "" : " with " + with;
            throw line.bad(
                    "id", "is " + Printable.quoted(id) + " a second time" + what + ", first in line " + earlier, rule);
        }
    }

    private static String word(Fields tags, String tag, List<String> words) {
        String word = tags.text(tag);
        if (!words.contains(word)) {
            throw tags.bad(tag, "is " + Printable.quoted(word), "it is one of " + String.join(", ", words));
        }
        return word;
    }

    private static String pair(String query, String text) {
        return "the " + query + " name in the query and the " + text + " one in the text";
    }

    private static void refuseIncomplete(String probe, String id, Map<String, Fields> lines) {
        for (String query : LENGTHS) {
            for (String text : LENGTHS) {
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

    private static void refuseOther(Fields tags, String tag) {
        Object band = tags.raw(tag);
        if (!BAND.matcher(band == null ? tags.text(tag) : ProbeItem.word(band)).matches()) {
            throw tags.bad(
                    tag,
                    "is " + Printable.quoted(String.valueOf(band)),
                    "a band is a whole number or two, for example 4 or 4-10");
        }
    }
}

package io.posbias.probe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What the scores of one model say, probe by probe.
 *
 * @param tests in the order of the probes
 * @param grid mean scores of {@code grid}; empty without that probe
 */
public record ProbeResult(List<PairTest> tests, List<GridCell> grid) {
    private static final String LONG = "long";
    private static final String SHORT = "short";

    /** Copies the lists. */
    public ProbeResult {
        tests = List.copyOf(tests);
        grid = List.copyOf(grid);
    }

    /**
     * The mean score of queries whose head is named so often in an article of such a length.
     *
     * @param heads band of mentions of the head
     * @param words band of words of title and text
     * @param n queries
     * @param mean of their scores
     */
    public record GridCell(String heads, String words, int n, double mean) {
        /** The fewest mentions of its band. */
        public int leastHeads() {
            return begin(heads);
        }

        /** The fewest words of its band. */
        public int leastWords() {
            return begin(words);
        }

        private static int begin(String band) {
            return Integer.parseInt(band.split("-", 2)[0]);
        }
    }

    /** The cell of the grid for a band of mentions and one of words; empty where no query is. */
    public Optional<GridCell> cell(String heads, String words) {
        return grid.stream()
                .filter(cell -> cell.heads().equals(heads) && cell.words().equals(words))
                .findFirst();
    }

    /** Tests the scored items of several probes. */
    public static ProbeResult of(List<ScoredItem> items, double confidence) {
        Map<String, List<ScoredItem>> byProbe = new LinkedHashMap<>();
        items.forEach(item -> byProbe.computeIfAbsent(item.item().probe(), probe -> new ArrayList<>())
                .add(item));
        List<PairTest> tests = new ArrayList<>();
        List<GridCell> grid = new ArrayList<>();
        byProbe.forEach((probe, own) -> {
            switch (probe) {
                case "literal" -> tests.addAll(literal(own, confidence));
                case "moving" -> tests.addAll(moving(own, confidence));
                case "grid" -> grid.addAll(cells(own));
                default -> tests.add(pairs(probe, own, confidence));
            }
        });
        return new ProbeResult(tests, grid);
    }

    private static PairTest pairs(String probe, List<ScoredItem> items, double confidence) {
        double[] first = items.stream().mapToDouble(ScoredItem::score1).toArray();
        double[] second = items.stream().mapToDouble(ProbeResult::second).toArray();
        return PairTest.of(probe, PairTest.PAIRS, first, second, confidence);
    }

    private static double second(ScoredItem item) {
        Double score = item.score2();
        if (score == null) {
            throw new IllegalArgumentException("item " + item.item().id() + " has one score");
        }
        return score;
    }

    /** The four scores of a query: its long and short name in the question, in the text. */
    private record Names(double ll, double ls, double sl, double ss) {
        static Names of(List<ScoredItem> two) {
            Map<String, Double> scores = new LinkedHashMap<>();
            for (ScoredItem scored : two) {
                ProbeItem item = scored.item();
                scores.put(item.tag("query_name") + " " + item.tag("name1"), scored.score1());
                scores.put(item.tag("query_name") + " " + item.tag("name2"), second(scored));
            }
            return new Names(
                    of(scores, LONG, LONG), of(scores, LONG, SHORT), of(scores, SHORT, LONG), of(scores, SHORT, SHORT));
        }

        private static double of(Map<String, Double> scores, String query, String text) {
            Double score = scores.get(query + " " + text);
            if (score == null) {
                throw new IllegalArgumentException(
                        "literal lacks the score of a " + query + " and a " + text + " name");
            }
            return score;
        }
    }

    private static List<PairTest> literal(List<ScoredItem> items, double confidence) {
        Map<String, List<ScoredItem>> byId = new LinkedHashMap<>();
        items.forEach(item ->
                byId.computeIfAbsent(item.item().id(), id -> new ArrayList<>()).add(item));
        List<Names> names = byId.values().stream().map(Names::of).toList();
        List<PairTest> tests = new ArrayList<>();
        tests.add(literal("LL - LS", names, Names::ll, Names::ls, confidence));
        tests.add(literal("LL - SL", names, Names::ll, Names::sl, confidence));
        tests.add(literal("LL - SS", names, Names::ll, Names::ss, confidence));
        tests.add(literal("SS - LS", names, Names::ss, Names::ls, confidence));
        tests.add(literal("SS - SL", names, Names::ss, Names::sl, confidence));
        return tests;
    }

    private static PairTest literal(
            String comparison,
            List<Names> names,
            Function<Names, Double> first,
            Function<Names, Double> second,
            double confidence) {
        return PairTest.of(
                "literal",
                comparison,
                names.stream().mapToDouble(first::apply).toArray(),
                names.stream().mapToDouble(second::apply).toArray(),
                confidence);
    }

    /** Each place against the first, over the queries that have it. */
    private static List<PairTest> moving(List<ScoredItem> items, double confidence) {
        Map<String, Double> atFirst = new LinkedHashMap<>();
        Map<Integer, Map<String, Double>> byPlace = new TreeMap<>();
        for (ScoredItem scored : items) {
            int place = Integer.parseInt(scored.item().tag("position"));
            if (place == 1) {
                atFirst.put(scored.item().id(), scored.score1());
            } else {
                byPlace.computeIfAbsent(place, number -> new LinkedHashMap<>())
                        .put(scored.item().id(), scored.score1());
            }
        }
        List<PairTest> tests = new ArrayList<>();
        byPlace.forEach((place, scores) -> {
            List<String> ids =
                    scores.keySet().stream().filter(atFirst::containsKey).toList();
            double[] there = ids.stream().mapToDouble(scores::get).toArray();
            double[] first = ids.stream().mapToDouble(atFirst::get).toArray();
            if (!ids.isEmpty()) {
                tests.add(PairTest.of("moving", place + " - 1", there, first, confidence));
            }
        });
        return tests;
    }

    private static List<GridCell> cells(List<ScoredItem> items) {
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
}

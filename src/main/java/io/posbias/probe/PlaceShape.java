package io.posbias.probe;

import io.posbias.BadInputException;
import io.posbias.Fields;
import io.posbias.Location;
import io.posbias.stats.Clusters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** See {@link Shapes#PLACES}. */
final class PlaceShape implements Shape {
    private static final String TAG = "position";

    @Override
    public boolean isSingle() {
        return true;
    }

    /** Places are counted from 1, each once for a query; one query at least has the first and another. */
    @Override
    public Check check(String probe) {
        Map<String, Set<Integer>> places = new HashMap<>();
        Repeats repeats = new Repeats("a query has one such text");
        return new Check() {
            @Override
            public void look(Fields line, Fields tags, String id) {
                int place = tags.integer(TAG);
                if (place < 1) {
                    throw tags.bad(TAG, "is " + place, "places are counted from 1");
                }
                repeats.refuse(line, id, "place " + place);
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

    /** Each place against the first, over the queries that have it. */
    @Override
    public List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence) {
        TreeMap<Integer, Map<String, Double>> byPlace = new TreeMap<>();
        Map<String, ScoredItem> ofId = new HashMap<>();
        for (ScoredItem scored : items) {
            ofId.put(scored.item().id(), scored);
            int place = Integer.parseInt(scored.item().tag(TAG));
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
}

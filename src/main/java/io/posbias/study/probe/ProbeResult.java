package io.posbias.study.probe;

import io.posbias.study.probe.ItemScorer.ScoredItem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Tests of a model's scores by probe.
 *
 * @param grid means of probes with the shape {@link Shape#GRID}; empty for others
 */
public record ProbeResult(List<PairTest> tests, List<GridCell> grid) {
    /** The cell of two bands; empty without queries. */
    public Optional<GridCell> cell(String heads, String words) {
        return grid.stream()
                .filter(cell -> cell.heads().equals(heads) && cell.words().equals(words))
                .findFirst();
    }

    public static ProbeResult of(List<ScoredItem> items, double confidence) {
        Map<ProbeType, List<ScoredItem>> byProbe = items.stream()
                .collect(Collectors.groupingBy(item -> item.item().probe(), LinkedHashMap::new, Collectors.toList()));
        List<PairTest> tests = new ArrayList<>();
        List<GridCell> grid = new ArrayList<>();
        byProbe.forEach((probe, own) -> {
            tests.addAll(probe.shape().tests(probe, own, confidence));
            grid.addAll(probe.shape().cells(own));
        });
        return new ProbeResult(tests, grid);
    }

    /** Mean score of queries in a band of head mentions and a band of article length in words. */
    public record GridCell(String heads, String words, int n, double mean) {
        int leastHeads() {
            return begin(heads);
        }

        int leastWords() {
            return begin(words);
        }

        private static int begin(String band) {
            return Integer.parseInt(band.split("-", 2)[0]);
        }
    }
}

package io.posbias.probe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the scores of one model say, probe by probe.
 *
 * @param tests in the order of the probes
 * @param grid mean scores of probes of the shape {@link Shape#GRID}; empty without them
 */
public record ProbeResult(List<PairTest> tests, List<GridCell> grid) {
    /** The cell of the grid for a band of mentions and one of words; empty where no query is. */
    public Optional<GridCell> cell(String heads, String words) {
        return grid.stream()
                .filter(cell -> cell.heads().equals(heads) && cell.words().equals(words))
                .findFirst();
    }

    /** Tests the scored items of several probes. */
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
}

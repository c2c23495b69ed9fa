package io.posbias.probe;

import io.posbias.Fields;
import io.posbias.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** See {@link Shapes#GRID}. */
final class GridShape implements Shape {
    private static final Pattern BAND = Pattern.compile("\\d{1,9}(-\\d{1,9})?");

    @Override
    public boolean isSingle() {
        return true;
    }

    @Override
    public Check check(String probe) {
        return (line, tags, id) -> {
            band(tags, "heads_band");
            band(tags, "words_band");
        };
    }

    private static void band(Fields tags, String tag) {
        Object band = tags.raw(tag);
        if (!BAND.matcher(band == null ? tags.text(tag) : ProbeItem.word(band)).matches()) {
            throw tags.bad(
                    tag,
                    "is " + Printable.quoted(String.valueOf(band)),
                    "a band is a whole number or two, such as 4 or 4-10");
        }
    }

    @Override
    public List<PairTest> tests(ProbeType probe, List<ScoredItem> items, double confidence) {
        return List.of();
    }

    @Override
    public List<GridCell> cells(List<ScoredItem> items) {
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

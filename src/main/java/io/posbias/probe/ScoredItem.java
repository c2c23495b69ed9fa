package io.posbias.probe;

import io.posbias.stats.Clusters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An item with its scores.
 *
 * @param score2 null for items of one text
 */
public record ScoredItem(
        ProbeItem item, double score1, @Nullable Double score2) {
    /** The clusters of items; an item without one is its own. */
    public static Clusters clusters(List<ScoredItem> items) {
        List<String> names = new ArrayList<>();
        for (ScoredItem scored : items) {
            String unit = scored.item().unit();
            // No name holds a line break.
            names.add(unit == null ? "\n" + names.size() : unit);
        }
        return Clusters.named(names);
    }

    /**
     * The score of the second text.
     *
     * @throws IllegalArgumentException for items of one text
     */
    double second() {
        if (score2 == null) {
            throw new IllegalArgumentException("item " + item.id() + " has one score");
        }
        return score2;
    }
}

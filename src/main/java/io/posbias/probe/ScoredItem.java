package io.posbias.probe;

import io.posbias.stats.Clusters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An item with its scores.
 *
 * @param item what was scored
 * @param score1 of the query and the first text
 * @param score2 of the query and the second; null where there is none
 */
public record ScoredItem(
        ProbeItem item, double score1, @Nullable Double score2) {
    /** Which of some items belong together; those without a unit are by themselves. */
    public static Clusters clusters(List<ScoredItem> items) {
        List<String> names = new ArrayList<>();
        for (ScoredItem scored : items) {
            String unit = scored.item().unit();
            // No name holds a line break.
            names.add(unit == null ? "\n" + names.size() : unit);
        }
        return Clusters.named(names);
    }

    /** The score of the second text, which must be there. */
    double second() {
        if (score2 == null) {
            throw new IllegalArgumentException("item " + item.id() + " has one score");
        }
        return score2;
    }
}

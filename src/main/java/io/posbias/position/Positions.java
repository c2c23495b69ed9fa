package io.posbias.position;

import io.posbias.dataset.Evidence;
import java.util.List;

/**
 * A way to group queries by where their evidence lies. Immutable; prints as it parses.
 *
 * <p>A query may fall in several buckets (edges that belong to both sides) or in none (no evidence, or a position beyond
 * the last edge). Whoever counts must count both.
 */
public sealed interface Positions permits CharacterEdges, Labels, RelativeBins, Thirds {
    /** The names of the buckets, in the order in which tables show them. */
    List<String> buckets();

    /**
     * The buckets that evidence falls in, ascending, as indices into {@link #buckets()}; empty when the evidence lacks
     * what this kind looks at.
     */
    int[] of(Evidence evidence);

    /** The text that {@link Bucketing#parse} reads back as an equal value. */
    @Override
    String toString();
}

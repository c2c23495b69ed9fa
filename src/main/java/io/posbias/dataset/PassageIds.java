package io.posbias.dataset;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The identifiers of a corpus, each with its ordinal: its place in the order by identifier <em>descending</em>, by code
 * points. Among passages of equal score the one with the lower ordinal comes first, which is trec_eval's rule for ties,
 * so a ranking can be kept and ordered as numbers.
 */
public final class PassageIds {
    private final String[] byOrdinal;
    private final Map<String, Integer> ordinals;

    /**
     * @param ids the identifiers in any order, without duplicates
     */
    public PassageIds(Collection<String> ids) {
        byOrdinal = ids.toArray(String[]::new);
        Arrays.sort(byOrdinal, CodePoints.ORDER.reversed());
        ordinals = HashMap.newHashMap(byOrdinal.length);
        for (int ordinal = 0; ordinal < byOrdinal.length; ordinal++) {
            if (ordinals.put(byOrdinal[ordinal], ordinal) != null) {
                throw new IllegalArgumentException("duplicate passage id " + byOrdinal[ordinal]);
            }
        }
    }

    /** How many passages there are; ordinals run from 0 to one less. */
    public int size() {
        return byOrdinal.length;
    }

    /** The identifier with this ordinal. */
    public String id(int ordinal) {
        return byOrdinal[ordinal];
    }

    /** The ordinal of an identifier, or -1 when the corpus has no such passage. */
    public int ordinal(String id) {
        return ordinals.getOrDefault(id, -1);
    }
}

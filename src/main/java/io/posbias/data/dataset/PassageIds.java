package io.posbias.data.dataset;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Identifiers of a corpus with ordinals: ranks by <em>descending</em> identifier in code point order. At equal
 * scores the lower ordinal ranks first, as in trec_eval, so rankings are sorted as numbers.
 */
public final class PassageIds {
    private final String[] byOrdinal;
    private final Map<String, Integer> ordinals;

    /** @param ids unique, in any order */
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

    public int size() {
        return byOrdinal.length;
    }

    /** Returns all identifiers by ordinal. */
    public List<String> all() {
        return Collections.unmodifiableList(Arrays.asList(byOrdinal));
    }

    public String id(int ordinal) {
        return byOrdinal[ordinal];
    }

    /** Returns the ordinal of an identifier; -1 if unknown. */
    public int ordinal(String id) {
        return ordinals.getOrDefault(id, -1);
    }
}

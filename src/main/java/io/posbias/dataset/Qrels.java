package io.posbias.dataset;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Relevance judgements of a benchmark by query. */
public final class Qrels {
    private final Map<String, Judgments> byQuery;

    public Qrels(Map<String, Judgments> byQuery) {
        this.byQuery = Collections.unmodifiableMap(new LinkedHashMap<>(byQuery));
    }

    /** Null for a query without judgements. */
    public @Nullable Judgments of(String query) {
        return byQuery.get(query);
    }
}

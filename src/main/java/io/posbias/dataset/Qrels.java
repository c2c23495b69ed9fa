package io.posbias.dataset;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Relevance judgements of a benchmark, by query. A query counts as judged when at least one passage was judged for it. */
public final class Qrels {
    private final Map<String, Judgments> byQuery;

    /**
     * @param byQuery query id to judgements; its order is kept
     */
    public Qrels(Map<String, Judgments> byQuery) {
        this.byQuery = Collections.unmodifiableMap(new LinkedHashMap<>(byQuery));
    }

    /** The judgements of a query; null when it has none. */
    public @Nullable Judgments of(String query) {
        return byQuery.get(query);
    }
}

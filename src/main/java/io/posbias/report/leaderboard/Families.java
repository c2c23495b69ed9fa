package io.posbias.report.leaderboard;

import io.posbias.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Families of models in the order of the papers' tables; other families come last. */
public final class Families {
    private static final Map<String, String> HEADINGS = headings();

    private Families() {}

    private static Map<String, String> headings() {
        Map<String, String> headings = new LinkedHashMap<>();
        headings.put("sparse", "Sparse retrievers");
        headings.put("dense", "Dense embedding-based retrievers");
        headings.put("late-interaction", "ColBERT-style late-interaction models");
        headings.put("reranker", "Full-interaction reranker models");
        return headings;
    }

    /** Orders results by family; stable within a family. */
    public static List<Result> ordered(List<Result> results) {
        return group(results).values().stream().flatMap(List::stream).toList();
    }

    /** Groups results by the heading of their family; stable within a family. */
    public static Map<String, List<Result>> group(List<Result> results) {
        Map<String, List<Result>> groups = new LinkedHashMap<>();
        HEADINGS.values().forEach(heading -> groups.put(heading, new ArrayList<>()));
        for (Result result : results) {
            String heading = HEADINGS.getOrDefault(result.family(), "Other systems");
            groups.computeIfAbsent(heading, name -> new ArrayList<>()).add(result);
        }
        groups.values().removeIf(List::isEmpty);
        return groups;
    }
}

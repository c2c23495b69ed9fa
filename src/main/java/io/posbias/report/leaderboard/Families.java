package io.posbias.report.leaderboard;

import io.posbias.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The families of models, in the order of the papers' tables; families they do not know come last. */
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

    /** Models as tables list them: family by family, within a family in the order given. */
    public static List<Result> ordered(List<Result> results) {
        return group(results).values().stream().flatMap(List::stream).toList();
    }

    /** Results by the heading of their family; within a family in the order given. */
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

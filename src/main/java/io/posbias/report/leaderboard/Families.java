package io.posbias.report.leaderboard;

import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Families of models in the order of a table; other models come last. */
public final class Families {
    /** Families of recipes. */
    public static final Families USUAL = usual();

    private static final String OTHERS = "Other systems";

    private final List<String> headings;
    private final Function<Result, String> heading;

    private Families(List<String> headings, Function<Result, String> heading) {
        this.headings = headings;
        this.heading = heading;
    }

    private static Families usual() {
        Map<String, String> headings = new LinkedHashMap<>();
        headings.put("sparse", "Sparse retrievers");
        headings.put("dense", "Dense embedding-based retrievers");
        headings.put("late-interaction", "ColBERT-style late-interaction models");
        headings.put("reranker", "Full-interaction reranker models");
        return new Families(List.copyOf(headings.values()), result -> headings.getOrDefault(result.family(), OTHERS));
    }

    /** @param models names or patterns of models by heading; empty for the families of recipes */
    static Families of(Map<String, List<String>> models) {
        return models.isEmpty()
                ? USUAL
                : new Families(
                        List.copyOf(models.keySet()),
                        result -> models.entrySet().stream()
                                .filter(family -> ResultFiles.matches(result.model(), family.getValue()))
                                .findFirst()
                                .map(Map.Entry::getKey)
                                .orElse(OTHERS));
    }

    /** Orders results by family; stable within a family. */
    public List<Result> ordered(List<Result> results) {
        return group(results).values().stream().flatMap(List::stream).toList();
    }

    /** Groups results by the heading of their family; stable within a family. */
    Map<String, List<Result>> group(List<Result> results) {
        Map<String, List<Result>> groups = new LinkedHashMap<>();
        Stream.concat(headings.stream(), Stream.of(OTHERS)).forEach(own -> groups.put(own, new ArrayList<>()));
        for (Result result : results) {
            groups.computeIfAbsent(heading.apply(result), own -> new ArrayList<>())
                    .add(result);
        }
        groups.values().removeIf(List::isEmpty);
        return groups;
    }
}

package io.posbias.report.leaderboard;

import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Families of models in the order of a table; other models come last.
 *
 * @param heading of a result's family
 */
public record Families(List<String> headings, Function<Result, String> heading) {
    private static final String OTHERS = "Other systems";

    private static final List<List<String>> KINDS = List.of(
            List.of("sparse", "Sparse retrievers"),
            List.of("dense", "Dense embedding-based retrievers"),
            List.of("late-interaction", "ColBERT-style late-interaction models"),
            List.of("reranker", "Full-interaction reranker models"));

    /** Families of recipes. */
    public static final Families USUAL = new Families(
            KINDS.stream().map(List::getLast).toList(),
            result -> KINDS.stream()
                    .filter(kind -> kind.getFirst().equals(result.family()))
                    .findFirst()
                    .map(List::getLast)
                    .orElse(OTHERS));

    /** @param models names or patterns of models by heading; empty for the families of recipes */
    static Families of(Map<String, List<String>> models) {
        return models.isEmpty()
                ? USUAL
                : new Families(
                        List.copyOf(models.keySet()),
                        result -> models.keySet().stream()
                                .filter(family ->
                                        ResultFiles.matches(result.model(), models.getOrDefault(family, List.of())))
                                .findFirst()
                                .orElse(OTHERS));
    }

    /** Orders results by family; stable within a family. */
    public List<Result> ordered(List<Result> results) {
        List<String> order = new ArrayList<>(headings);
        order.add(OTHERS);
        return results.stream()
                .sorted(Comparator.comparingInt(result -> order.indexOf(heading.apply(result))))
                .toList();
    }
}

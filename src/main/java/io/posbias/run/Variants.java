package io.posbias.run;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Query;
import io.posbias.rank.Run;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.SearchFacts;
import io.posbias.score.measure.Truncation.EvidenceCuts;
import io.posbias.score.measure.Truncation.EvidenceCuts.Read;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Content-fixed numbers of a benchmark of {@linkplain Query.Variant variants}: its queries already are the positions
 * of {@link ScoresByPlace}, so nothing more is scored.
 */
final class Variants {
    private Variants() {}

    /** Returns a row per question, on the first measure, in the order of their first variants. */
    static List<ScoresByPlace> rows(Dataset dataset, EvaluatedCell cell) {
        Run run = cell.run();
        Scores scores = cell.queries().scores();
        QueryBuckets placement = cell.queries().placement();
        Map<String, List<Integer>> variants = new LinkedHashMap<>();
        for (int query = 0; query < scores.queries().size(); query++) {
            variants.computeIfAbsent(variant(scores.queries().get(query)).of(), of -> new ArrayList<>())
                    .add(query);
        }
        double[] values = scores.of(0);
        List<String> articles = placement.clustering().articles();
        return variants.entrySet().stream()
                .map(entry -> {
                    List<Query> queries = new ArrayList<>();
                    double[] own = new double[entry.getValue().size()];
                    boolean[] found = new boolean[own.length];
                    for (int query : entry.getValue()) {
                        queries.add(scores.queries().get(query));
                        int place = variant(scores.queries().get(query)).place() - 1;
                        own[place] = values[query];
                        found[place] = isFound(dataset, run, scores.queries().get(query));
                    }
                    int first = entry.getValue().getFirst();
                    return new ScoresByPlace(
                            entry.getKey(),
                            variant(queries.getFirst()).document(),
                            articles.isEmpty() ? "" : articles.get(first),
                            Arrays.stream(own).average().orElseThrow(),
                            own,
                            found,
                            new boolean[own.length],
                            new int[own.length],
                            read(cell.queries().facts(), entry.getValue(), scores.queries()));
                })
                .toList();
    }

    private static boolean isFound(Dataset dataset, Run run, Query query) {
        Judgments judgments = Objects.requireNonNull(dataset.qrels().of(query.id()));
        return ScoresByPlace.isFound(run.of(query.id()), judgments);
    }

    private static Query.Variant variant(Query query) {
        return Objects.requireNonNull(query.variant(), "the reader has seen to it");
    }

    private static Read[] read(SearchFacts facts, List<Integer> queries, List<Query> all) {
        EvidenceCuts cuts = facts.readByAll();
        Read[] read = new Read[queries.size()];
        for (int query : queries) {
            Read own = facts.cuts().isEmpty() ? null : cuts.read(query);
            read[variant(all.get(query)).place() - 1] = Objects.requireNonNullElse(own, Read.UNKNOWN);
        }
        return read;
    }
}

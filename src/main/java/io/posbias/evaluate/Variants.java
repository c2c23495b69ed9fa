package io.posbias.evaluate;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Query;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.QueryBuckets;
import io.posbias.measure.Scores;
import io.posbias.measure.ScoresByPlace;
import io.posbias.position.Bucketing;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.SearchReport;
import io.posbias.retrieve.TruncationReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Content-fixed numbers of a benchmark of {@linkplain Query.Variant variants}: its queries already are the positions
 * of {@link ScoresByPlace}, so nothing more is scored.
 */
final class Variants {
    private Variants() {}

    /** Returns a row per question, on the first measure, in the order of their first variants. */
    static List<ScoresByPlace> rows(
            Dataset dataset, Run run, Scores scores, QueryBuckets placement, SearchReport report) {
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
                            unread(dataset, queries, report));
                })
                .toList();
    }

    /** Fits the rows; null with a single passage or without draws. */
    static @Nullable ContentFixed fit(List<ScoresByPlace> rows, Scoring scoring) {
        boolean few =
                rows.stream().map(ScoresByPlace::passage).distinct().limit(2).count() < 2;
        if (few || scoring.draws() == 0) {
            return null;
        }
        return ContentFixing.fit(ContentFixed.OF_BENCHMARK, scoring)
                .of(rows, QueryBuckets.of(List.of(), Bucketing.NONE));
    }

    private static boolean isFound(Dataset dataset, Run run, Query query) {
        Judgments judgments = Objects.requireNonNull(dataset.qrels().of(query.id()));
        return ScoresByPlace.isFound(run.of(query.id()), judgments);
    }

    private static Query.Variant variant(Query query) {
        return Objects.requireNonNull(query.variant(), "the reader has seen to it");
    }

    /** Returns true by position if a model does not read the evidence; empty if a model's truncation is unknown. */
    private static boolean[] unread(Dataset dataset, List<Query> queries, SearchReport report) {
        boolean[] unread = new boolean[queries.size()];
        if (report.truncations().all().isEmpty()) {
            return new boolean[0];
        }
        for (Query query : queries) {
            int relevant =
                    Objects.requireNonNull(dataset.qrels().of(query.id())).firstRelevant();
            int seen = report.truncations().seen(query.id(), relevant);
            if (seen == TruncationReport.UNKNOWN) {
                return new boolean[0];
            }
            unread[variant(query).place() - 1] = seen >= 0
                    && query.evidence() != null
                    && query.evidence().span() != null
                    && query.evidence().span().start() >= seen;
        }
        return unread;
    }
}

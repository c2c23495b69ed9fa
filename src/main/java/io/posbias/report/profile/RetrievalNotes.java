package io.posbias.report.profile;

import io.posbias.base.table.NumberFormat;
import io.posbias.base.text.Plural;
import io.posbias.rank.SearchStat;
import io.posbias.score.measure.PoolRecall;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Notes on truncation, first stages and approximate search. */
public final class RetrievalNotes {
    private RetrievalNotes() {}

    static List<List<String>> rows(Result result, Profile profile) {
        List<List<String>> rows = new ArrayList<>();
        for (Truncation truncation : result.retrieval().truncations()) {
            if (truncation.endsPast() > 0) {
                List<Integer> counts = truncation.buckets().stream()
                        .map(Truncation.Bucket::startsPast)
                        .toList();
                // Under its own row a model needs no name; what it re-ranks was found by another.
                String whose = truncation.stage().equals(result.model()) ? "" : " of " + truncation.stage();
                rows.add(row("  truncated before" + whose, counts, profile));
            }
        }
        PoolRecall pool = result.retrieval().firstStage();
        if (pool != null && pool.recall() < 1) {
            List<Integer> counts =
                    pool.buckets().stream().map(PoolRecall.Bucket::missed).toList();
            rows.add(row("  missed by " + pool.model(), counts, profile));
        }
        return rows;
    }

    private static List<String> row(String name, List<Integer> counts, Profile profile) {
        List<String> cells = new ArrayList<>(List.of(name));
        counts.forEach(count -> cells.add(String.valueOf(count)));
        // A result of other buckets, from a file: better no counts than wrong columns.
        if (counts.size() != profile.buckets().size()) {
            cells.subList(1, cells.size()).clear();
            cells.addAll(Collections.nCopies(profile.buckets().size(), ""));
        }
        return cells;
    }

    /** Returns notes for below a result's table. */
    public static List<String> of(Result result) {
        List<String> notes = new ArrayList<>();
        result.retrieval().truncations().stream()
                .filter(Truncation::isWorthTelling)
                .map(RetrievalNotes::sentence)
                .forEach(notes::add);
        PoolRecall pool = result.retrieval().firstStage();
        if (pool != null) {
            notes.add(result.model() + " re-ranked the first " + pool.depth() + " of " + pool.model()
                    + "; first_stage_recall " + percent(pool.recall()) + ", the other queries score 0");
        }
        result.retrieval().searchStats().forEach((name, value) -> {
            if (!SearchStat.isTold(name)) {
                notes.add(result.model() + ": " + name.replace('_', ' ') + " " + NumberFormat.significant(value));
            }
        });
        notes.addAll(result.doubts());
        return notes;
    }

    private static String sentence(Truncation truncation) {
        if (!truncation.known()) {
            return truncation.stage() + ": the service may have cut texts"
                    + (truncation.maxTokens() > 0 ? " past " + truncation.maxTokens() + " tokens" : "")
                    + " and does not say which";
        }
        String queries = truncation.queriesCut() > 0 ? " and " + Plural.of(truncation.queriesCut(), "query") : "";
        String cut = truncation.stage() + ": " + truncation.cut() + " of " + truncation.total() + " "
                + truncation.unit() + queries + " were truncated"
                + (truncation.maxTokens() > 0 ? " at " + truncation.maxTokens() + " tokens" : "");
        if (truncation.buckets().isEmpty()) {
            return cut + "; whether before the evidence is not known";
        }
        return cut + "; truncated before the evidence for " + Plural.of(truncation.startsPast(), "query")
                + " and within it or before it for " + truncation.endsPast();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }
}

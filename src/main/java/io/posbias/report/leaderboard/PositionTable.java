package io.posbias.report.leaderboard;

import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.report.profile.ProfileValues;
import io.posbias.result.Result;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One row a model, for each benchmark what it scores by position or over all positions, and PSI. */
final class PositionTable {
    /** From this PSI on a model is marked in the SQuAD-PosQ paper's Table 1. */
    static final double NOTABLE = 0.03;

    private static final String STAR = "*";

    private PositionTable() {}

    /** A column for each position bucket, with a verdict for each benchmark where one is known. */
    static Table withVerdicts(Leaderboard board) {
        return byBucket(board, new Sheet<LeaderboardRow>().plain("model", LeaderboardRow::label), true, List.of());
    }

    /**
     * The SQuAD-PosQ paper's Table 1: models whose PSI, as printed, is {@value #NOTABLE} or more on every benchmark of the
     * table that they were run on have a star. As there, the tiny subsets share the columns of the whole benchmarks; a
     * column that the paper does not have says which of both a row is on.
     */
    static Table starred(Leaderboard results) {
        Leaderboard board = results.merge();
        Sheet<LeaderboardRow> columns = new Sheet<LeaderboardRow>()
                .label("model", line -> isNotable(board, line) ? line.model() + STAR + line.suffix() : line.label());
        List<String> notes = new ArrayList<>();
        if (board.results().stream().anyMatch(Leaderboard::isTiny)) {
            columns.label("set", line -> Leaderboard.isTiny(line.results().getFirst()) ? "tiny" : "full");
            notes.add("tiny: on the subset of the benchmark whose name ends in " + Leaderboard.TINY);
        }
        notes.add(STAR + " PSI of " + NOTABLE + " or more on every benchmark that the model was run on");
        return byBucket(board, columns, false, notes);
    }

    /** One mean a benchmark: Table 1 of the paper on training distributions. */
    static Table means(Leaderboard board) {
        Sheet<LeaderboardRow> columns = new Sheet<LeaderboardRow>().plain("model", LeaderboardRow::label);
        for (String dataset : board.datasets()) {
            columns.under(dataset)
                    .plain(
                            "mean",
                            line -> board.points(
                                    line,
                                    cells -> ProfileValues.bucketMean(board.profile(cells, dataset, Strata.ALL))));
            psi(board, columns, dataset);
        }
        return board.table(
                board.measure() + " in points (x100) and PSI",
                columns,
                List.of("mean: mean of the means of position buckets, each once"));
    }

    /** The mean over queries of both measures of each benchmark: ColDeR's Tables 2 and A.3. */
    static Table retrieval(Leaderboard board) {
        Sheet<LeaderboardRow> columns = new Sheet<LeaderboardRow>().plain("model", LeaderboardRow::label);
        for (String dataset : board.datasets()) {
            columns.under(dataset);
            for (String measure : PublishedResults.COLDER_MEASURES) {
                Leaderboard own = new Leaderboard(board.results(), measure, board.intervals(), false, board.baseline());
                columns.plain(
                        measure,
                        line -> own.points(
                                line, cells -> ProfileValues.average(own.profile(cells, dataset, Strata.ALL))));
            }
        }
        return board.table(
                "Retrieval in points (x100)",
                columns,
                List.of("means over queries; needs results of --measures "
                        + String.join(",", PublishedResults.COLDER_MEASURES)));
    }

    /** @param own whether the columns are not a paper's: with a mean over all positions, and verdicts where known */
    private static Table byBucket(Leaderboard board, Sheet<LeaderboardRow> columns, boolean own, List<String> more) {
        // A profile of each benchmark, for its buckets.
        Map<String, Profile> samples = new LinkedHashMap<>();
        board.results().forEach(result -> samples.putIfAbsent(board.column(result), all(board, result)));
        samples.forEach((dataset, sample) -> {
            columns.under(dataset);
            if (sample.buckets().isEmpty()) {
                columns.plain(
                        "query mean",
                        line -> board.points(
                                line, cells -> ProfileValues.queryMean(board.profile(cells, dataset, Strata.ALL))));
                return;
            }
            sample.buckets()
                    .forEach(bucket -> columns.plain(
                            bucket.bucket(),
                            line -> board.points(
                                    line,
                                    cells -> ProfileValues.mean(
                                            board.profile(cells, dataset, Strata.ALL), bucket.bucket()))));
            if (own) {
                mean(board, columns, dataset);
            }
            psi(board, columns, dataset);
            if (own && board.hasVerdicts()) {
                columns.plain("verdict", line -> board.verdict(line, dataset));
            }
        });
        List<String> notes = new ArrayList<>();
        if (board.results().stream()
                .flatMap(result -> all(board, result).buckets().stream())
                .anyMatch(ProfileValues::isMarked)) {
            notes.add(Unit.THIN + " few queries: the mean says little");
        }
        samples.forEach((dataset, sample) -> {
            if (sample.buckets().isEmpty()) {
                notes.add(dataset + ": no query says where its evidence is: no buckets, no PSI");
            }
        });
        notes.addAll(more);
        return board.table(board.title("position of the evidence"), columns, notes);
    }

    /** Over queries, or where a row has no such mean, as papers' rows, over the means of buckets. */
    private static void mean(Leaderboard board, Sheet<LeaderboardRow> columns, String dataset) {
        boolean overQueries = board.results().stream()
                .filter(result -> board.column(result).equals(dataset))
                .allMatch(result -> all(board, result).queryMean() != null);
        columns.plain(
                overQueries ? "query mean" : "bucket mean",
                line -> board.points(line, cells -> {
                    Profile profile = board.profile(cells, dataset, Strata.ALL);
                    return overQueries ? ProfileValues.queryMean(profile) : ProfileValues.bucketMean(profile);
                }));
    }

    private static void psi(Leaderboard board, Sheet<LeaderboardRow> columns, String dataset) {
        columns.plain(
                "PSI", line -> board.psi(line, cells -> ProfileValues.psi(board.profile(cells, dataset, Strata.ALL))));
    }

    private static Profile all(Leaderboard board, Result result) {
        return Objects.requireNonNull(result.profile(board.measure(), Strata.ALL), "every result has the stratum all");
    }

    private static boolean isNotable(Leaderboard board, LeaderboardRow line) {
        List<Double> values = line.results().stream()
                .map(cell -> all(board, cell).psi().value())
                .filter(Objects::nonNull)
                .map(psi -> Double.valueOf(Unit.FRACTION.print(psi)))
                .toList();
        return !line.isDifference() && !values.isEmpty() && values.stream().allMatch(psi -> psi >= NOTABLE);
    }
}

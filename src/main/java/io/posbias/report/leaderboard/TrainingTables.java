package io.posbias.report.leaderboard;

import io.posbias.measure.MacroMean;
import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.report.profile.ProfileValues;
import io.posbias.result.Result;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Value;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** The tables of the paper on training distributions (arXiv:2605.26578): each shows its own rows of what the paper printed. */
final class TrainingTables {
    private TrainingTables() {}

    /** Table 1: a mean and PSI on SQuAD-PosQ and FineWeb-PosQ. */
    static Table positions(Leaderboard board) {
        return PositionTable.means(of(board, dataset -> dataset.contains("-posq")));
    }

    /** Table 2: the mean over queries on each benchmark of BEIR, whose evidence is not looked at, and their average. */
    static Table queryMeans(Leaderboard all) {
        Leaderboard board = of(
                all,
                dataset -> TrainingResults.beir().stream()
                        .anyMatch(printed -> printed.dataset().equals(dataset)));
        Sheet<LeaderboardRow> columns = new Sheet<LeaderboardRow>().plain("model", LeaderboardRow::label);
        for (String dataset : board.datasets()) {
            columns.plain(
                    dataset,
                    line -> board.points(
                            line, cells -> ProfileValues.queryMean(board.profile(cells, dataset, Strata.ALL))));
        }
        columns.plain("average", line -> board.points(line, cells -> average(board, cells)));
        return board.table(
                board.measure() + " in points (x100), mean over queries",
                columns,
                List.of("average: each dataset once; none where a model lacks one"));
    }

    /** Table 3: a mean and PSI on PosIR. */
    static Table posir(Leaderboard board) {
        return PositionTable.means(of(board, TrainingResults.POSIR_DATASET::equals));
    }

    private static Value average(Leaderboard board, List<Result> cells) {
        List<Profile> profiles = board.datasets().stream()
                .map(dataset -> board.profile(cells, dataset, Strata.ALL))
                .filter(Objects::nonNull)
                .toList();
        return Value.of(
                        profiles.size() == board.datasets().size()
                                ? MacroMean.of(profiles).queryMean()
                                : null)
                .of(ProfileValues.sample(profiles));
    }

    /** Without what the paper printed on other benchmarks. */
    private static Leaderboard of(Leaderboard board, Predicate<String> printed) {
        return board.of(board.results().stream()
                .filter(result -> !result.isPublished() || printed.test(result.dataset()))
                .toList());
    }
}

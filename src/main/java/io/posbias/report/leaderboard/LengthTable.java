package io.posbias.report.leaderboard;

import io.posbias.dataset.convert.PosirNames;
import io.posbias.measure.MacroMean;
import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.report.profile.ProfileValues;
import io.posbias.result.Result;
import io.posbias.stats.Correlation;
import io.posbias.table.Cell;
import io.posbias.table.Grid;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import io.posbias.table.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Columns by band of length: the mean over all queries, then for each band the mean of its bucket means; PSI likewise. */
final class LengthTable {
    static final String AVERAGES =
            "all: mean over queries; Q1 to Q4, bands of token length: mean of the means of position buckets";

    private static final String BY = "length of the passage";
    private static final String MMTEB = "MMTEB";

    private final Leaderboard board;
    private final Sheet<Row> columns =
            new Sheet<Row>().label("model", row -> row.line().label());
    private final List<String> notes = new ArrayList<>(List.of(AVERAGES));

    private LengthTable(Leaderboard board) {
        this.board = board;
    }

    /** A line on some of its benchmarks. */
    private record Row(LeaderboardRow line, String name, Predicate<String> datasets) {}

    /** One row a model and benchmark. */
    static Table byDataset(Leaderboard board) {
        LengthTable table = new LengthTable(board);
        table.addBothByBand();
        if (board.hasVerdicts()) {
            table.columns.under("").plain("verdict", row -> board.verdict(row.line(), row.name()));
        }
        Grid grid = board.grid(
                table.columns, line -> line.datasets().map(dataset -> new Row(line, dataset, dataset::equals)));
        return table.of(grid, board.title(BY));
    }

    /** One row a model: the plain mean over its benchmarks, each counting once. */
    static Table averaged(Leaderboard board) {
        LengthTable table = new LengthTable(board);
        table.addBothByBand();
        Grid grid = board.grid(
                table.columns,
                line -> Stream.of(new Row(line, "mean of " + line.datasets().count(), any -> true)));
        grid.mark();
        table.addAgreement(grid, any -> true);
        table.noteGaps(any -> true);
        return table.of(grid, board.title(BY));
    }

    /**
     * PosIR's Table 2: the mean over languages, queries and passages of one language, beside the models' mean on MMTEB's
     * retrieval tasks, and how the order of models agrees with it.
     */
    static Table besideMmteb(Leaderboard board) {
        Predicate<String> within = dataset -> !PosirNames.isCrossLingual(dataset);
        Map<String, Double> mmteb = PublishedResults.mmteb();
        LengthTable table = new LengthTable(board);
        table.columns.plain(MMTEB, row -> {
            Double elsewhere = row.line().isDifference() ? null : mmteb.get(nameAtMmteb(row.line()));
            return Cell.points(Value.of(elsewhere), false);
        });
        board.strata().forEach(table::addPoints);
        Grid grid = board.grid(
                table.columns,
                line -> Stream.of(new Row(line, "", within))
                        .filter(row -> line.datasets().anyMatch(within)));
        grid.mark();
        table.addAgreement(grid, within);
        table.noteGaps(within);
        return table.of(grid, board.title(BY + ", mean over languages"));
    }

    /** PosIR's Table 3: PSI, the mean over languages, within a language and from others to English. */
    static Table psi(Leaderboard board) {
        LengthTable table = new LengthTable(board);
        table.notes.set(0, "PSI of each language over its position buckets, then the mean over languages");
        table.addPsi("multilingual", dataset -> !PosirNames.isCrossLingual(dataset));
        table.addPsi("cross-lingual", PosirNames::isCrossLingual);
        Grid grid = board.grid(table.columns, line -> Stream.of(new Row(line, "", any -> true)));
        grid.mark();
        return table.of(grid, "PSI of " + board.measure());
    }

    private Table of(Grid grid, String title) {
        return columns.tableOf("", title, grid.rows(), notes);
    }

    private void addBothByBand() {
        columns.label("dataset", Row::name).under(board.measure());
        board.strata().forEach(this::addPoints);
        columns.under("PSI");
        board.strata().forEach(stratum -> columns.plain(stratum, row -> psi(row.line(), row.datasets(), stratum)));
    }

    private void addPoints(String stratum) {
        columns.plain(stratum, row -> board.points(row.line(), cells -> average(cells, row.datasets(), stratum)));
    }

    /** Adds the columns of a way of retrieving, if any result is of it. */
    private void addPsi(String name, Predicate<String> datasets) {
        if (board.datasets().stream().anyMatch(datasets)) {
            columns.under(name);
            board.strata().forEach(stratum -> columns.plain(stratum, row -> psi(row.line(), datasets, stratum)));
            noteGaps(datasets);
        }
    }

    /** A recipe's results are beside the number of the published model that it is a recipe of. */
    private static String nameAtMmteb(LeaderboardRow line) {
        return PublishedResults.nameIn(Paper.POSIR, line.results().getFirst());
    }

    /** The average of one result with its interval, the plain mean of several without; none if one lacks the stratum. */
    private Value average(List<Result> cells, Predicate<String> datasets, String stratum) {
        List<Profile> profiles = profiles(cells, datasets, stratum);
        if (profiles.size() == 1) {
            return ProfileValues.average(profiles.getFirst());
        }
        MacroMean mean = MacroMean.of(profiles);
        return Value.of(stratum.equals(Strata.ALL) ? mean.queryMean() : mean.bucketMean())
                .of(ProfileValues.sample(profiles));
    }

    private Cell psi(LeaderboardRow line, Predicate<String> datasets, String stratum) {
        return board.psi(line, cells -> {
            List<Profile> profiles = profiles(cells, datasets, stratum);
            return profiles.size() == 1
                    ? ProfileValues.psi(profiles.getFirst())
                    : Value.of(MacroMean.of(profiles).psi()).of(ProfileValues.sample(profiles));
        });
    }

    private List<Profile> profiles(List<Result> cells, Predicate<String> datasets, String stratum) {
        List<Profile> profiles = new ArrayList<>();
        for (Result cell : cells) {
            if (datasets.test(cell.dataset())) {
                Profile profile = cell.profile(board.measure(), stratum);
                if (profile == null) {
                    return List.of();
                }
                profiles.add(profile);
            }
        }
        return profiles;
    }

    /** Spearman's correlation of the models' order with that on MMTEB, where three models or more are known there. */
    private void addAgreement(Grid grid, Predicate<String> datasets) {
        Map<String, Double> mmteb = PublishedResults.mmteb();
        Map<String, LeaderboardRow> known = new LinkedHashMap<>();
        board.lines()
                .filter(line -> !line.isDifference()
                        && line.datasets().anyMatch(datasets)
                        && mmteb.containsKey(nameAtMmteb(line)))
                .forEach(line -> known.putIfAbsent(nameAtMmteb(line), line));
        if (known.size() < 3) {
            return;
        }
        double[] reference = known.keySet().stream().mapToDouble(mmteb::get).toArray();
        List<String> rho = new ArrayList<>(List.of("Spearman's rho", "with " + MMTEB));
        List<String> p = new ArrayList<>(List.of("p-value", ""));
        for (String stratum : board.strata()) {
            double[] own = known.values().stream()
                    .map(line -> average(line.results(), datasets, stratum).value())
                    .mapToDouble(value -> value == null ? Double.NaN : value)
                    .toArray();
            Correlation correlation = Correlation.spearman(reference, own);
            rho.add(Unit.FRACTION.print(correlation.coefficient()));
            p.add(Unit.P.print(correlation.pValue()));
        }
        grid.heading("Agreement with " + MMTEB);
        grid.text(rho);
        grid.text(p);
    }

    /** Says which models cover fewer benchmarks than others: their means are of something else. */
    private void noteGaps(Predicate<String> datasets) {
        long all = board.datasets().stream().filter(datasets).count();
        board.lines().filter(line -> !line.isDifference()).forEach(line -> {
            long covered = line.datasets().filter(datasets).count();
            if (covered > 0 && covered < all) {
                notes.add(line.label() + " covers " + covered + " of " + all + " datasets");
            }
        });
    }
}

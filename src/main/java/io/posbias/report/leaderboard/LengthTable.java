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
import io.posbias.table.Table;
import io.posbias.table.Unit;
import io.posbias.table.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Columns by band of length: the mean over all queries, then for each band the mean of its bucket means; PSI likewise. */
final class LengthTable {
    private static final String AVERAGES =
            "all: mean over queries; Q1 to Q4, bands of token length: mean of the means of position buckets";
    private static final String MMTEB = "MMTEB";

    private final Leaderboard board;
    private final List<String> notes = new ArrayList<>(List.of(AVERAGES));

    private LengthTable(Leaderboard board) {
        this.board = board;
    }

    /** One row a model and benchmark. */
    static Table byDataset(Leaderboard board) {
        return new LengthTable(board).byDataset();
    }

    /** One row a model: the plain mean over its benchmarks, each counting once. */
    static Table averaged(Leaderboard board) {
        return new LengthTable(board).averaged();
    }

    /**
     * PosIR's Table 2: the mean over languages, queries and passages of one language, beside the models' mean on MMTEB's
     * retrieval tasks, and how the order of models agrees with it.
     */
    static Table besideMmteb(Leaderboard board) {
        return new LengthTable(board).besideMmteb();
    }

    /** PosIR's Table 3: PSI, the mean over languages, within a language and from others to English. */
    static Table psi(Leaderboard board) {
        return new LengthTable(board).psi();
    }

    private Table byDataset() {
        boolean verdicts = board.results().stream()
                .anyMatch(result -> !ProfileValues.verdict(result.profile(board.measure(), Strata.ALL))
                        .text()
                        .equals(Unit.NONE));
        Grid grid = new Grid();
        board.families().forEach((family, lines) -> {
            grid.heading(family);
            lines.forEach(line -> datasets(line).forEach(dataset -> {
                List<Cell> row = new ArrayList<>(List.of(Cell.word(line.label()), Cell.word(dataset)));
                board.strata().forEach(stratum -> row.add(points(line, dataset::equals, stratum)));
                board.strata().forEach(stratum -> row.add(psi(line, dataset::equals, stratum)));
                if (verdicts) {
                    row.add(
                            line.isDifference()
                                    ? Cell.word("")
                                    : ProfileValues.verdict(board.profile(line.results(), dataset, Strata.ALL)));
                }
                grid.add(row);
            }));
        });
        List<Table.Group> groups = new ArrayList<>(groups());
        List<String> header = new ArrayList<>(header("dataset"));
        if (verdicts) {
            groups.add(new Table.Group("", 1));
            header.add("verdict");
        }
        return new Table(board.title("length of the passage"), groups, header, grid.rows(), notes);
    }

    private static Set<String> datasets(Line line) {
        Set<String> datasets = new LinkedHashSet<>();
        line.results().forEach(result -> datasets.add(result.dataset()));
        return datasets;
    }

    private List<Table.Group> groups() {
        int width = board.strata().size();
        return List.of(new Table.Group("", 2), new Table.Group(board.measure(), width), new Table.Group("PSI", width));
    }

    private List<String> header(String second) {
        List<String> header = new ArrayList<>(List.of("model", second));
        header.addAll(board.strata());
        header.addAll(board.strata());
        return header;
    }

    private Table averaged() {
        Grid grid = new Grid();
        board.families().forEach((family, lines) -> {
            grid.heading(family);
            lines.forEach(line -> {
                List<Cell> row = new ArrayList<>(List.of(Cell.word(line.label()), Cell.word(meanOf(line))));
                board.strata().forEach(stratum -> row.add(points(line, any -> true, stratum)));
                board.strata().forEach(stratum -> row.add(psi(line, any -> true, stratum)));
                grid.add(row);
            });
        });
        grid.mark();
        addAgreement(grid, any -> true, 2 + 2 * board.strata().size());
        noteGaps(any -> true);
        return new Table(board.title("length of the passage"), groups(), header("dataset"), grid.rows(), notes);
    }

    private static String meanOf(Line line) {
        return "mean of " + datasets(line).size();
    }

    private Table besideMmteb() {
        Predicate<String> within = dataset -> !PosirNames.isCrossLingual(dataset);
        Map<String, Double> mmteb = PublishedResults.mmteb();
        Grid grid = new Grid();
        board.families().forEach((family, lines) -> {
            grid.heading(family);
            lines.stream().filter(line -> has(line, within)).forEach(line -> {
                Value elsewhere = line.isDifference() ? Value.NONE : Value.of(mmteb.get(nameAtMmteb(line)));
                List<Cell> row = new ArrayList<>(List.of(Cell.word(line.label()), Cell.points(elsewhere, false)));
                board.strata().forEach(stratum -> row.add(points(line, within, stratum)));
                grid.add(row);
            });
        });
        grid.mark();
        addAgreement(grid, within, 2 + board.strata().size());
        noteGaps(within);
        List<String> header = new ArrayList<>(List.of("model", MMTEB));
        header.addAll(board.strata());
        return new Table(
                board.title("length of the passage, mean over languages"), List.of(), header, grid.rows(), notes);
    }

    /** A recipe's results stand beside the number of the published model that it is a recipe of. */
    private static String nameAtMmteb(Line line) {
        return PublishedResults.nameIn(Paper.POSIR, line.results().getFirst());
    }

    private static boolean has(Line line, Predicate<String> dataset) {
        return line.results().stream().map(Result::dataset).anyMatch(dataset);
    }

    private Table psi() {
        List<Table.Group> groups = new ArrayList<>(List.of(new Table.Group("", 1)));
        List<String> header = new ArrayList<>(List.of("model"));
        List<Predicate<String>> modes = new ArrayList<>();
        mode("multilingual", dataset -> !PosirNames.isCrossLingual(dataset), groups, header, modes);
        mode("cross-lingual", PosirNames::isCrossLingual, groups, header, modes);
        Grid grid = new Grid();
        board.families().forEach((family, lines) -> {
            grid.heading(family);
            lines.forEach(line -> {
                List<Cell> row = new ArrayList<>(List.of(Cell.word(line.label())));
                modes.forEach(mode -> board.strata().forEach(stratum -> row.add(psi(line, mode, stratum))));
                grid.add(row);
            });
        });
        grid.mark();
        notes.set(0, "PSI of each language over its position buckets, then the mean over languages");
        modes.forEach(this::noteGaps);
        return new Table("PSI of " + board.measure(), groups, header, grid.rows(), notes);
    }

    /** Adds the columns of a way of retrieving, if any result is of it. */
    private void mode(
            String name,
            Predicate<String> datasets,
            List<Table.Group> groups,
            List<String> header,
            List<Predicate<String>> modes) {
        if (board.datasets().stream().anyMatch(datasets)) {
            groups.add(new Table.Group(name, board.strata().size()));
            header.addAll(board.strata());
            modes.add(datasets);
        }
    }

    private Cell points(Line line, Predicate<String> datasets, String stratum) {
        return line.points(cells -> average(cells, datasets, stratum), board.intervals());
    }

    private Cell psi(Line line, Predicate<String> datasets, String stratum) {
        return line.psi(cells -> psi(cells, datasets, stratum), board.intervals());
    }

    /** The average of one result with its interval, the plain mean of several without; none if one lacks the stratum. */
    private Value average(List<Result> cells, Predicate<String> datasets, String stratum) {
        List<Profile> profiles = profiles(cells, datasets, stratum);
        if (profiles.size() == 1) {
            return ProfileValues.average(profiles.getFirst());
        }
        MacroMean mean = MacroMean.of(profiles);
        return Value.of(stratum.equals(Strata.ALL) ? mean.queryMean() : mean.bucketMean());
    }

    private Value psi(List<Result> cells, Predicate<String> datasets, String stratum) {
        List<Profile> profiles = profiles(cells, datasets, stratum);
        return profiles.size() == 1
                ? ProfileValues.psi(profiles.getFirst())
                : Value.of(MacroMean.of(profiles).psi());
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
    private void addAgreement(Grid grid, Predicate<String> datasets, int width) {
        Map<String, Double> mmteb = PublishedResults.mmteb();
        Map<String, Line> known = new LinkedHashMap<>();
        board.families().values().stream()
                .flatMap(List::stream)
                .filter(line -> !line.isDifference() && has(line, datasets) && mmteb.containsKey(nameAtMmteb(line)))
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
            p.add(Unit.FRACTION.print(correlation.pValue()));
        }
        grid.heading("Agreement with " + MMTEB);
        grid.text(rho, width);
        grid.text(p, width);
    }

    /** Says which models cover fewer benchmarks than others: their means are of something else. */
    private void noteGaps(Predicate<String> datasets) {
        long all = board.datasets().stream().filter(datasets).count();
        board.families().values().stream()
                .flatMap(List::stream)
                .filter(line -> !line.isDifference())
                .forEach(line -> {
                    long covered = datasets(line).stream().filter(datasets).count();
                    if (covered > 0 && covered < all) {
                        notes.add(line.label() + " covers " + covered + " of " + all + " datasets");
                    }
                });
    }
}

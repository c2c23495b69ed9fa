package io.posbias.report.leaderboard;

import io.posbias.measure.BucketMean;
import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.report.profile.ProfileValues;
import io.posbias.result.Result;
import io.posbias.table.Cell;
import io.posbias.table.Grid;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One row a model, for each benchmark a column for each position bucket and one for PSI. */
final class PositionTable {
    /** From this PSI on a model is marked in the SQuAD-PosQ paper's Table 1. */
    static final double NOTABLE = 0.03;

    private static final String STAR = "*";

    private final Leaderboard board;
    private final boolean starred;
    private final boolean verdicts;
    /** A profile of each benchmark, for its buckets. */
    private final Map<String, Profile> samples = new LinkedHashMap<>();

    private PositionTable(Leaderboard board, boolean starred) {
        this.board = board;
        this.starred = starred;
        board.results().forEach(result -> samples.putIfAbsent(result.dataset(), all(result)));
        this.verdicts = !starred && board.results().stream().anyMatch(this::hasVerdict);
    }

    /** The table with a verdict for each benchmark where one is known. */
    static Table withVerdicts(Leaderboard board) {
        return new PositionTable(board, false).table();
    }

    /**
     * The SQuAD-PosQ paper's Table 1: models whose PSI, as printed, is {@value #NOTABLE} or more on every benchmark of the
     * table that they were run on have a star.
     */
    static Table starred(Leaderboard board) {
        return new PositionTable(board, true).table();
    }

    private Profile all(Result result) {
        return Objects.requireNonNull(result.profile(board.measure(), Strata.ALL), "every result has the stratum all");
    }

    private boolean hasVerdict(Result result) {
        return !ProfileValues.verdict(all(result)).text().equals(Unit.NONE);
    }

    private Table table() {
        List<Table.Group> groups = new ArrayList<>(List.of(new Table.Group("", 1)));
        List<String> header = new ArrayList<>(List.of("model"));
        samples.forEach((dataset, sample) -> {
            groups.add(new Table.Group(dataset, sample.buckets().size() + (verdicts ? 2 : 1)));
            sample.buckets().forEach(bucket -> header.add(bucket.bucket()));
            header.add("PSI");
            if (verdicts) {
                header.add("verdict");
            }
        });
        Grid grid = new Grid();
        board.families().forEach((family, lines) -> {
            grid.heading(family);
            lines.forEach(line -> grid.add(row(line)));
        });
        grid.mark();
        return new Table(board.title("position of the evidence"), groups, header, grid.rows(), notes());
    }

    private List<Cell> row(Line line) {
        List<Cell> row = new ArrayList<>(List.of(Cell.word(label(line))));
        samples.forEach((dataset, sample) -> {
            for (BucketMean bucket : sample.buckets()) {
                row.add(line.points(
                        cells -> ProfileValues.mean(profile(cells, dataset), bucket.bucket()), board.intervals()));
            }
            row.add(line.psi(cells -> ProfileValues.psi(profile(cells, dataset)), board.intervals()));
            if (verdicts) {
                row.add(line.isDifference() ? Cell.word("") : ProfileValues.verdict(profile(line.results(), dataset)));
            }
        });
        return row;
    }

    private @Nullable Profile profile(List<Result> cells, String dataset) {
        return board.profile(cells, dataset, Strata.ALL);
    }

    private String label(Line line) {
        return starred && !line.isDifference() && isNotable(line.results())
                ? line.model() + STAR + line.suffix()
                : line.label();
    }

    private boolean isNotable(List<Result> cells) {
        List<Double> values = cells.stream()
                .map(cell -> all(cell).psi().value())
                .filter(Objects::nonNull)
                .map(psi -> Double.valueOf(Unit.FRACTION.print(psi)))
                .toList();
        return !values.isEmpty() && values.stream().allMatch(psi -> psi >= NOTABLE);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (board.results().stream()
                .flatMap(result -> all(result).buckets().stream())
                .anyMatch(ProfileValues::isMarked)) {
            notes.add(Unit.THIN + " few queries: the mean says little");
        }
        if (starred) {
            notes.add(STAR + " PSI of " + NOTABLE + " or more on every benchmark that the model was run on");
        }
        return notes;
    }
}

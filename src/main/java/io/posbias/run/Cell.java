package io.posbias.run;

import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.RunKey;
import io.posbias.score.result.StoredCell;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cell as it is asked for, and what is stored of it. The run goes by its key; findings are a function of the run and of the
 * settings asked for, and files are replaced where they differ.
 */
public final class Cell {
    private final RunKey key;
    private final Settings asked;
    private final Optional<StoredCell> stored;
    private final Optional<StoredCell> run;
    private final Optional<RunKey.Placing> placing;

    /**
     * Scores by the place of the evidence, which belong to a run.
     *
     * @param placing null without rows
     */
    record Placed(RunKey.@Nullable Placing placing, List<ScoresByPlace> rows) {
        static final Placed NONE = new Placed(null, List.of());
    }

    private Cell(RunKey key, Settings asked, Optional<StoredCell> stored, Optional<RunKey.Placing> placing) {
        this.key = key;
        this.asked = asked;
        this.stored = stored;
        this.run = stored.filter(cell -> RunKey.of(cell.result()).serves(key) && cell.hasRun(key.placing() != null));
        this.placing = placing;
    }

    /**
     * Opens a cell, whose stored measures and scores by place are added to what is asked for.
     *
     * @param wanted settings of the benchmark
     * @throws io.posbias.base.process.PosbiasException if the folder has another run, which must not be replaced
     */
    static Cell open(ResultFolder folder, RunKey key, Settings wanted) {
        Optional<StoredCell> stored = folder.cell(key);
        Settings all = wanted.withMeasures(Stream.concat(
                        wanted.measures().stream(),
                        stored.stream().flatMap(cell -> cell.result().settings().measures().stream()))
                .distinct()
                .toList());
        Optional<RunKey.Placing> placing = stored.filter(StoredCell::hasPlaces)
                .map(cell -> cell.result().provenance().placing());
        Settings asked = placing.filter(kept -> all.contentFixed() == null
                        && kept.measure().equals(all.measure().toString()))
                .map(kept -> all.withContentFixed(kept.how()))
                .orElse(all);
        return new Cell(key, asked, stored, placing);
    }

    /** Opens a cell whose files are only read: another run counts as none. */
    static Cell of(ResultFolder folder, RunKey key, Settings asked) {
        Cell cell = new Cell(key, asked, folder.cell(), Optional.empty());
        return cell.hasRun() ? cell : anew(key, asked);
    }

    /** Opens a cell that is made anew, whatever is stored. */
    static Cell anew(RunKey key, Settings asked) {
        return new Cell(key, asked, Optional.empty(), Optional.empty());
    }

    /** Returns the settings of the findings: those asked for, with the stored measures behind them. */
    Settings asked() {
        return asked;
    }

    Optional<StoredCell> stored() {
        return stored;
    }

    /** Returns the cell whose run is measured; empty to search. */
    Optional<StoredCell> withRun() {
        return run;
    }

    /** Reads the scores by place that the findings are fitted to, or keep. */
    Placed placed() {
        return stored.flatMap(cell -> placing.map(how -> new Placed(how, cell.kept())))
                .orElse(Placed.NONE);
    }

    public boolean hasRun() {
        return run.isPresent();
    }

    /** Returns true if the run is stored, and findings by the settings asked for. */
    public boolean isFinished() {
        return run.filter(cell ->
                        asked.equals(cell.result().settings()) && cell.missing().isEmpty())
                .isPresent();
    }

    RunKey key() {
        return key;
    }
}

package io.posbias.run;

import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.Placing;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.RunKey;
import io.posbias.score.result.StoredCell;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cell as it is asked for, and what is stored of it. The run goes by its key; findings are a function of the run and of the
 * settings asked for, and files are replaced where they differ.
 */
public final class Cell {
    private final RunKey key;
    private final Settings asked;
    private final @Nullable StoredCell stored;
    private final @Nullable Placing placing;
    private final boolean hasRun;

    /**
     * Scores by the place of the evidence, which belong to a run.
     *
     * @param placing null for no rows
     */
    record Placed(@Nullable Placing placing, List<ScoresByPlace> rows) {
        static final Placed NONE = new Placed(null, List.of());
    }

    private Cell(RunKey key, Settings asked, @Nullable StoredCell stored, @Nullable Placing placing) {
        this.key = key;
        this.asked = asked;
        this.stored = stored;
        this.placing = placing;
        this.hasRun = stored != null && RunKey.of(stored.result()).serves(key) && stored.hasRun(key.placing() != null);
    }

    /**
     * Opens a cell, whose stored measures and scores by place are added to what is asked for.
     *
     * @param wanted settings of the benchmark
     * @throws io.posbias.base.process.PosbiasException if the folder has another run, which must not be replaced
     */
    static Cell open(ResultFolder folder, RunKey key, Settings wanted) {
        StoredCell stored = folder.cell(key).orElse(null);
        if (stored == null) {
            return anew(key, wanted);
        }
        Settings all = wanted.adding(stored.result().settings().measures());
        Placing placing = stored.hasPlaces() ? stored.result().provenance().placing() : null;
        Settings asked = placing != null
                        && all.contentFixed() == null
                        && placing.measure().equals(all.measure().toString())
                ? all.withContentFixed(placing.how())
                : all;
        return new Cell(key, asked, stored, placing);
    }

    /** Opens a cell whose files are only read: another run counts as none. */
    static Cell of(ResultFolder folder, RunKey key, Settings asked) {
        Cell cell = new Cell(key, asked, folder.cell().orElse(null), null);
        return cell.hasRun ? cell : anew(key, asked);
    }

    /** Opens a cell that is made anew, whatever is stored. */
    static Cell anew(RunKey key, Settings asked) {
        return new Cell(key, asked, null, null);
    }

    /** Returns the settings of the findings: those asked for, with the stored measures behind them. */
    Settings asked() {
        return asked;
    }

    Optional<StoredCell> stored() {
        return Optional.ofNullable(stored);
    }

    /** Returns the cell whose run is measured; empty to search. */
    Optional<StoredCell> withRun() {
        return stored().filter(cell -> hasRun);
    }

    /** Reads the scores by place that the findings are fitted to, or keep. */
    Placed placed() {
        return stored == null || placing == null ? Placed.NONE : new Placed(placing, stored.kept());
    }

    /** Returns true if the run is stored. */
    public boolean hasRun() {
        return hasRun;
    }

    /** Returns true if the run is stored, and findings by the settings asked for. */
    public boolean isFinished() {
        return hasRun
                && stored().filter(cell -> asked.equals(cell.result().settings())
                                && cell.missing().isEmpty())
                        .isPresent();
    }

    RunKey key() {
        return key;
    }
}
